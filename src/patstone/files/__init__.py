"""What every room reads and writes: streams, tables, ids. Knows nothing of patents or measures."""
