"""Checking DRAT proofs."""
