"""The game: its rules, what a player may know, and players."""
