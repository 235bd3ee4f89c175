"""`patstone patents`: whatever patent data a user has, read, identified and turned into clean tables."""
