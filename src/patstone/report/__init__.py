"""What people look at: tables, charts, one self-contained page."""
