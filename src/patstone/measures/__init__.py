"""How well: measures over gold and answers, and the engine that computes them."""
