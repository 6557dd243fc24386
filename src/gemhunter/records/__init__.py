"""Values as plain data: what is printed as JSON, kept in ledgers and sent by the web API."""
