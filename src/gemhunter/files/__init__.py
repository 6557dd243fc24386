"""Files and text to values and back.

`boards.py` is the one door that recognises any file of a board or game, `text.py` reads boards as people
write them, and `answers/` what students hand in.
"""
