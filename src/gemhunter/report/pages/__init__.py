"""Documents as HTML, PDF, Markdown and LaTeX, and the page of a class."""
