"""Front ends for people."""
