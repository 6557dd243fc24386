"""Values to pictures: coloured text, SVG, PNG and GIF; one palette."""
