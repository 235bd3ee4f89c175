"""Colours of charts, as CSS variables that follow the page's light, dark or print scheme.

Each has a fallback, so that a chart saved on its own still shows.
"""

INK = "var(--ink, #1c2330)"
MUTED = "var(--muted, #5d6778)"
LINE = "var(--line, #e3e0d8)"
BETTER = "var(--better, #1f5fa8)"
WORSE = "var(--worse, #b4501a)"
PAPER = "var(--paper, #ffffff)"
