"""Which cell to open when none is certain: start with `choose.py`; `end_game.py` plays the end exactly."""
