"""Parses site.toml into a `Config`, and reports every mistake with its line."""
