"""The Python API, which is stable: `load` a glossary, `find` terms by any name, `check` texts. See
docs/python.md."""

from sitegen.integrations.loading import Glossary, load
from sitegen.integrations.published_terms import (
    Change,
    FormerName,
    Match,
    MatchKind,
    Name,
    Release,
    Source,
    Term,
    Wording,
)
from sitegen.model import SitegenError

__all__ = [
    "Change",
    "FormerName",
    "Glossary",
    "Match",
    "MatchKind",
    "Name",
    "Release",
    "SitegenError",
    "Source",
    "Term",
    "Wording",
    "load",
]
