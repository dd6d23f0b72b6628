"""What all games share: compilation, keyed randomness, named layouts, many tables side by side."""
