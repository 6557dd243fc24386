"""The board taken apart: what follows at once, cells that no clue tells apart, and independent parts."""
