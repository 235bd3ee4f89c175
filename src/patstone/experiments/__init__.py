"""Protocols over gold, systems and measures: simulated training, retrieval, judging, and the papers' tables."""
