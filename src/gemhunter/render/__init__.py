"""Values to pictures: coloured text and SVG."""
