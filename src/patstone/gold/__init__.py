"""What is true: judgments that systems are measured against."""
