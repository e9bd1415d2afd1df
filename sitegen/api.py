"""The Python API, which is stable: `load` a glossary, `find` terms by any name, `check` texts. See
docs/python.md."""

from sitegen.integrations.glossary import Glossary, Match, MatchKind
from sitegen.integrations.loading import load
from sitegen.integrations.published_terms import FormerName
from sitegen.integrations.published_terms import PublishedChange as Change
from sitegen.integrations.published_terms import PublishedRelease as Release
from sitegen.integrations.published_terms import PublishedSource as Source
from sitegen.integrations.published_terms import PublishedTerm as Term
from sitegen.integrations.published_terms import PublishedWording as Wording
from sitegen.model import Designation as Name
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
