"""The server: routes (`api`), the page (`app`), who may ask (`guards`, `connections`); `serve` starts it."""
