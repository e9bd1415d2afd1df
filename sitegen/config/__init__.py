"""site.toml: from its text to a `Config`, with the line of every mistake."""
