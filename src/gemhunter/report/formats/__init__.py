"""One file per format in which a report is written."""
