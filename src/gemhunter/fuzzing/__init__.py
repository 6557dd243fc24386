"""Random boards, formulas, files and options: no engine may be wrong, and nothing may crash."""
