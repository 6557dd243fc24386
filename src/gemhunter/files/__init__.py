"""From files and text to values, and back.

`boards.py` recognises and reads any file of a board or game, `text.py` reads boards as people write them, and
`answers/` reads what students hand in.
"""
