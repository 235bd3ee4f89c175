"""What a patent is: numbers, families, claims, schemes, collections."""
