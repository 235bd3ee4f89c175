"""`patstone claims`: generated claims, and the judges of them, put to the test."""
