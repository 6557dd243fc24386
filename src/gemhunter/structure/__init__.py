"""A board taken apart: propagation, groups, independent parts, linear elimination, bounds on the total."""
