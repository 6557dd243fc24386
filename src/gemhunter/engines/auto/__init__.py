"""`auto`, the default engine: small boards by clauses, large ones by parts, and a portfolio for the rest."""
