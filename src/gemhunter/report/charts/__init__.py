"""Charts of measurements, drawn by Matplotlib."""
