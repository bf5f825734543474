"""One module per game, each exporting GAME."""
