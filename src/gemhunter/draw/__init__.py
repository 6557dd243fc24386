"""Values to pictures: SVG, PNG, GIF, DOT, maps in text, and a page that plays scenes; one palette.

Start with `grids.py`; colours are in `palette.py`.
"""
