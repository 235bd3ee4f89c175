"""`patstone gold …`: gold standards of labels, a module for each command."""
