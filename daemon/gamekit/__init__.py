"""What a game is written with: its contract, violations, the shoe, commitments to hidden cards."""
