"""Measurements for readers: tables, charts, records for programs, and the report as one document."""
