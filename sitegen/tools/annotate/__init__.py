"""Links the terms in other documents, and finds outdated names in them.

`prose` finds the words of a document, and `mentions` the names of terms in them. `links` links these, `outdated`
finds outdated names and links, and `reports` writes the findings for other tools.
"""

from sitegen.tools.annotate.links import Linked, annotated, linked
from sitegen.tools.annotate.outdated import Outdated, OutdatedName, findings, outdated
from sitegen.tools.annotate.reports import github, sarif, vale_style

__all__ = [
    "Linked",
    "Outdated",
    "OutdatedName",
    "annotated",
    "findings",
    "github",
    "linked",
    "outdated",
    "sarif",
    "vale_style",
]
