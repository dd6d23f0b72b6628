"""The interfaces that people use, each written once and naming no game."""
