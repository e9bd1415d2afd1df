"""The values that all other packages exchange.

`entries` has what sources say, and what a person declares about it; its names are public here. `terms` has what
happened to terms from release to release.
"""

from sitegen.model.entries import (
    ChosenSlug,
    Citation,
    Corrected,
    Designation,
    Document,
    Edition,
    Entry,
    File,
    Place,
    Problem,
    Prose,
    Reading,
    Reference,
    Release,
    Rename,
    Retired,
    Said,
    SitegenError,
    Skipped,
    Source,
    Status,
    Verdict,
    Withheld,
    entries_at,
)

__all__ = [
    "ChosenSlug",
    "Citation",
    "Corrected",
    "Designation",
    "Document",
    "Edition",
    "Entry",
    "File",
    "Place",
    "Problem",
    "Prose",
    "Reading",
    "Reference",
    "Release",
    "Rename",
    "Retired",
    "Said",
    "SitegenError",
    "Skipped",
    "Source",
    "Status",
    "Verdict",
    "Withheld",
    "entries_at",
]
