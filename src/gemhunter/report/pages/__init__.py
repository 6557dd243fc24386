"""Documents as HTML, Markdown and LaTeX, and the page of a class."""
