"""The Sphinx extension: `extensions = ["sitegen.sphinx"]`. See docs/sphinx.md."""

from sitegen.integrations.sphinx_extension import setup

__all__ = ["setup"]
