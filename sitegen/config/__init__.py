"""Parses site.toml into a `Config`, and reports every mistake with its line."""

SITE_TOML = "site.toml"
"""The name of the file with the settings of a site."""
