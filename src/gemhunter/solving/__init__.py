"""What an engine is: protocols, outcomes, limits and the registry."""
