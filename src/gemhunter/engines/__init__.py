"""Engines: who answers. One file for each, families in folders."""
