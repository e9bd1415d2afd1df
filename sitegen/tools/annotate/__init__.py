"""Other people's documents: linking the terms that they mention, and finding what has become of those they used.

`stretches` says what of a document is words, `mentions` which terms they mention. `annotating` links them, `outdated`
knows which names and links have had their day, and `reports` and `vale` say so in the forms that other tools read.
"""

from sitegen.tools.annotate.annotating import annotated
from sitegen.tools.annotate.linking import Linked, linked
from sitegen.tools.annotate.outdated import Finding, Outdated, findings, outdated
from sitegen.tools.annotate.reports import github, sarif
from sitegen.tools.annotate.vale import style

__all__ = [
    "Finding",
    "Linked",
    "Outdated",
    "annotated",
    "findings",
    "github",
    "linked",
    "outdated",
    "sarif",
    "style",
]
