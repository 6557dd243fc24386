"""The game: rules, levels, what a player may know, programs that play, advice and reviews.

Start with `game.py`; how `expert` chooses is in `guess.py`, and `agents/` has the players.
"""
