"""Is it real: intervals, significance, discrimination, correlation."""
