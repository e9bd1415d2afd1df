"""sitegen: versioned glossaries in, a static site with every term's history out."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("sitegen")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"
