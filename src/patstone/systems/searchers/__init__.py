"""Searchers: baselines to beat, and ways to ask an engine of one's own. Each has `search(questions, k) -> Run`."""
