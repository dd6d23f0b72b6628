"""Each folder here that holds a `GAME` is a game."""
