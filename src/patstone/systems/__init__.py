"""What is tested: answers of systems, and baselines to beat."""
