"""The game: rules, levels, what a player may know, programs that play, advice and reviews.

Start with `game.py`. `guessing/` is how `expert` chooses. The
programs that play are in `agents/`.
"""
