"""Parses site.toml into a `Config`, and reports every mistake with its line."""

SITE_TOML = "site.toml"
"""The name of the file with the settings of a site."""

KEYS = {
    "old": "from",
    "new": "to",
    "check_text": "check-text",
    "line": "",
    "releases": "release",
    "renames": "rename",
    "slugs": "slug",
    "sources": "source",
    "terms": "term",
    "texts": "text",
    "translations": "translation",
}
"""The TOML keys of fields whose names are plural, or that Python cannot have. The program sets
`line`, and no key."""


def key_of(name: str) -> str:
    """Returns the TOML key of a field; empty if it has none."""
    return KEYS.get(name, name)
