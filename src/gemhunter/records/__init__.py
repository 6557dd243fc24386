"""Values as plain data: what the command line prints as JSON, and what other programs are sent."""
