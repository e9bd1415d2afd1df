"""Links the terms in other documents, and finds outdated names in them.

`prose` finds the words of a document, `mentions` the terms that they mention. `links` links them, `outdated`
finds names and links that should not be used any more, and `reports` writes the findings for other tools.
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
