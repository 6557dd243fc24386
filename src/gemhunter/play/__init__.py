"""The game: rules, levels, what a player may know, programs that play, advice and reviews.

Start with `game.py`. `expert.py` is how `expert` chooses, and `candidates.py` shows it cell by cell. The
programs that play are in `agents/`.
"""
