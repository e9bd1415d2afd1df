"""What the commands other than `build` and `serve` do."""
