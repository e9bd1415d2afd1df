"""What a change, such as a pull request, does to a glossary: for those who have to decide about it.

`commits` finds the two sides in git, `reading` what the glossary is at each, `comparing` what differs; `report` says
it in Markdown, `data` in JSON. Nothing is checked out, and nothing that the repository configures is run.
"""

from sitegen.tools.review.comparing import Review
from sitegen.tools.review.data import data
from sitegen.tools.review.report import markdown
from sitegen.tools.review.review import review

__all__ = ["Review", "data", "markdown", "review"]
