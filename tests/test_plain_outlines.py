"""Where nothing in a document has to be weighed, its outline is what weighing would have come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.formats.common.outline import Outline, plain, weighed
from sitegen.formats.markdown.chunks import Reader
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.model import Document
from sitegen.text.known import Known

PLAIN = [
    *("## Leaf\n\nA [node](#node).", "## Node\n\nOne.\n\nTwo.", "## Root\n\n<!-- nothing yet -->", "## Twig\n\n---"),
    *("## Log", "## Bark\n\n&nbsp;", "## Bud\n\nUp [there](#tree), or [down](#log)."),
]
ODD = [
    *(
        "## A\n\nOne.",
        "## Leaf\n\nOf a book.",
        "## See also\n\nTrees.",
        "## Glossary\n\nWords.",
        "## ?\n\nOdd.",
        "##",
    ),
    *(
        "# Tree\n\nTall.",
        "### Vein\n\nOf a leaf.",
        "**Stem**: a trunk",
        "Up [there](#glossary).",
        '<a id="tree"></a>',
    ),
    *("- **Seed**: a germ\n- **Pip**: a seed", "- [Leaf](#leaf)\n- [Node](#node)", "Words.", "---\n\nBy us."),
]


def outlines(text: str, title: str = "") -> tuple[Outline | None, Outline]:
    document = Document(source="s", release="1", path="s/1/glossary.md", name="glossary.md", text=text)
    known = Known()
    passages = Reader(known, to_reference).read(text).passages()
    return plain(document, passages, known, title=title), weighed(document, passages, known, title=title)


@given(
    st.sampled_from(["# Glossary", "# Glossary\n\nWhat words mean.", "# Tree", "Words."]),
    st.lists(st.sampled_from(PLAIN), max_size=5, unique=True),
    st.lists(st.sampled_from(ODD), max_size=1),
    st.integers(0, 5),
    st.sampled_from(["", "Glossary"]),
)
def test_outlines_that_may_be_plain(top: str, parts: list[str], odd: list[str], place: int, title: str) -> None:
    """Whatever stands in a document, its outline is what weighing comes to, unless that is left to weighing."""
    found, expected = outlines("\n\n".join([top, *parts[:place], *odd, *parts[place:]]), title)
    assert found is None or found == expected


def test_what_is_plain() -> None:
    """A title with a heading below it for each term needs no weighing, even where one says nothing yet."""
    found, expected = outlines("\n\n".join(["# Glossary", "What words mean.", *PLAIN]))
    assert found == expected
    assert [entry.name for entry in expected.reading.entries] == ["Leaf", "Node", "Bud"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "# Glossary", "Words.\n\n## Leaf\n\nA node.", "# Tape\n\n## Leaf\n\nA node."),
        "# Glossary\n\n## Leaf\n\nA node.\n\n## Leaf\n\nOf a tree.",
        "# Glossary\n\n## Trees\n\n### Leaf\n\nA node.",
        "# Glossary\n\n## Leaf\n\nSee [above](#glossary).",
    ],
)
def test_what_has_to_be_weighed(text: str) -> None:
    """Names that return, sections, and links to what is no term are for those who see the whole."""
    assert outlines(text)[0] is None
