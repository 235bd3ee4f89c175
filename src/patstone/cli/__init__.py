"""Thin shells: one module per command group."""
