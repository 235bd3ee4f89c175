"""Judges of generated claims: each gives a candidate claim set a number, with a gold claim set beside it or without."""
