"""sitegen builds a static site with every term's history from versioned glossaries."""

DISTRIBUTION = "sitegen-glossary"
"""The name on PyPI. `sitegen` there is another project."""

__version__ = "0.2.0"
"""The only place of the version; pyproject.toml reads it from here."""
