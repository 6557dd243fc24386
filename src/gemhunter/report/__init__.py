"""Measurements for readers: tables in several formats, and charts."""
