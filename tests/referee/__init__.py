"""Slow, plain referees: the rules once more, written from the rules page alone."""
