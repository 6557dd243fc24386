"""Pictures of boards and graphs: SVG, PNG, GIF, DOT, maps in text, and a page that plays scenes.

Start with `grids.py`; colours are in `palette.py`.
"""
