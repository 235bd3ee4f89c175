"""Classifiers to compare with, and the shapes in which anyone's own is plugged in."""
