"""One file per part of the report: blocks of text, tables and figures made from findings."""
