"""Training of judges on comparisons: a margin loss, a sweep of its constants, splits by gold, and signs of failure."""
