"""Random boards and formulas for all engines at once: nobody may be wrong, or crash."""
