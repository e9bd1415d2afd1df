"""The data types that all other packages exchange.

`entries` has the types for the content of sources and for declarations in site.toml; its names are exported here.
`terms` has the types for the history of terms.
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
