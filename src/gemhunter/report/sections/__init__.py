"""The sections of a report, each made from its findings."""
