"""The game in the terminal: what is on the screen, and what keys and the mouse do."""
