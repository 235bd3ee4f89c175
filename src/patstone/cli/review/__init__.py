"""`patstone review`: colleagues judge families independently, in a browser."""
