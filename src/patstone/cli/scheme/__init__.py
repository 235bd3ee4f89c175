"""`patstone scheme`: class hierarchies, and how far apart their terms are."""
