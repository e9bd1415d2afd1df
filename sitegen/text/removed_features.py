"""What earlier versions had, and what to use instead.

The messages about an unknown command, option, format or setting take their advice from this table.
"""

from __future__ import annotations

TRIAL = (
    "`build` and `serve` have it, for a trial; `sitegen init` writes a site.toml for other commands"
)

REMOVED = {
    "annotate": "`sitegen link` prints a link to paste, and cards need no change of a document "
    "(docs/link.md)",
    "--fix": "replace the names yourself; check-text lists each with its file, line and column",
    "--git": TRIAL,
    "--tags": TRIAL,
    "--path": TRIAL,
    "--jobs": "a build has a process for each core",
    "week": "write day, month or year",
    "obo": "convert it to SKOS, CSV or JSON",
    "tbx": "convert it to SKOS, CSV or JSON",
    "quarter": "write month or year",
}
"""The advice for each removed name, as users write it."""


def removal(name: str) -> str:
    """Returns advice for a removed name, or an empty string for any other.

    >>> removal("annotate")[:37]
    'it was removed; `sitegen link` prints'
    """
    return f"it was removed; {REMOVED[name]}" if name in REMOVED else ""
