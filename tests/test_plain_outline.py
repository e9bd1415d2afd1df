"""The simplest outline, a heading for each term, is read as any other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitegen import formats
from sitegen.model import Document, Reading

PARTS = (
    "## Heddle\n\nHolds a [warp](#warp) thread.",
    "## Warp\n\nThreads along the [loom](#glossary).",
    "## Weft\n\nThreads across, see [weft](#weft-1).",
    "## See also\n\n[A book](https://example.org/)",
    "## W",
    "### Selvage\n\nThe edge of a cloth.",
    "## Tools\n\n**Loom**: A frame.\n\n**Shuttle**: A boat.",
    '<a id="edge"></a>',
)


def read(text: str, *, section: str = "") -> Reading:
    return formats.read(Document(source="s", release="1", path="g.md", name="g.md", text=text, section=section))


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6))
def test_each_outline_is_read_as_a_section_is(parts: list[str]) -> None:
    """A glossary has the same entries when it is the whole document and when a section of it is asked for."""
    text = "# Glossary\n\n" + "\n\n".join(parts)
    assert read(text).entries == read(text, section="Glossary").entries
