"""Long lists and tables are read row by row, and come to what they come to as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.formats.markdown import chunks
from sitegen.formats.markdown import rows as _markdown_rows
from sitegen.formats.markdown.chunks import Markdown, Reader
from sitegen.formats.markdown.commonmark import tokens
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.text.known import Known

EASY = ["**a**: text", "**b** - `x`", "**c** words", "d", "e: f", "**i** [x](#y)", '**n** and *m* "q" <']
HARD = [
    *("**i** [x] and [y][x]", "<b>j</b>", "<!-- k", "k -->", "*l", "m*", "`n", "o`", "  ", "a\n  more", "a\n  - sub"),
    *("a\n  ```\n  c", "a\n  ```\n  c\n  ```", "a\n   > q", "# h", "> q", "1. x", "---", "- - -", "```", "<div>"),
    *(
        "</div>",
        "a | b |",
        "| a |",
        " | ",
        "**z** | def",
        "z \\| y | w |",
        "$x$",
        "[e](#f)",
        "<a id='q'></a>**q**: t",
    ),
    *("term\n  ===", "term\n  ---", "a\\", "**A** (aside) — x", "http://x.y/z", "<script>", "[x]: /u", "a\n  : def"),
    *(
        "{: .x}",
        "[a](b){: .c}",
        "*[A]: b",
        "<dl>",
        "</dl>",
        "{{< glossary_tooltip term_id='a' >}}",
        "**a**<br>",
        "{:toc}",
    ),
    *("\n  para", "a\n\n  para2", "*", "-", "+ x", "**x", "a\n    deep", "{#id}", "[[toc]]", "[top](#top)", " lead"),
]
ABOVE = [
    *("", "# T\n\n", "Words.\n\n", "words\n", "**B**: x\n\n", "```\n", "<div>\n\n", "<!--\n", "> q\n", "[x]: /u\n\n"),
    *("term\n", "- - -\n\n", "1. a\n\n", "* a\n\n", "- a\n\n", "  \n"),
]
BELOW = [
    *(
        "",
        "\n",
        "\n\nMore.",
        "\nlazy",
        "\n  cont",
        "\n\n  para",
        "\n===",
        "\n---",
        "\n: def",
        "\n\n```\nx",
        "\n```\nx",
    ),
    *(
        "\n* other",
        "\n\n- more",
        "\n1. x",
        "\n\n<!-- c",
        "\n\n## H\n\nx",
        "\n| x |",
        "\n\n---\n\nlast",
        "\n<div>",
        "\n{: .table}",
        "\n-",
    ),
]
HEADS = ["| Term | Definition |\n|---|---|", "|term|meaning|x|\n|:--|--:|:-:|", "| a |\n|---|", "| [a](#b) |\n|---|"]

rows = st.lists(st.sampled_from(EASY * 6 + HARD), min_size=7, max_size=12)
lists = st.builds(
    lambda mark, space, rows: space.join(f"{mark} {row}" for row in rows),
    *(st.sampled_from("-*+"), st.sampled_from(["\n", "\n\n"]), rows),
)
cells = st.sampled_from([" | w |", " | *w* | v |", " |", "", " | `a\\|b` |"])
tables = st.builds(
    lambda head, rows, cell: "\n".join([head, *("| " + row.replace("\n", " ") + cell for row in rows)]),
    *(st.sampled_from(HEADS), rows, cells),
)
NAMES = ["Name", "**b**", "`c` d", "n *i*", "Two words", "x|y", "a [x]", "Z:", "one\nother"]
COLONS = [": ", ":   ", " : ", ": a\n: ", ":   \n : "]
named = st.builds(
    lambda space, colon, names, rows: space.join(
        f"{name}\n{colon}{row}".replace("\n  ", "\n    ") for name, row in zip(names, rows, strict=False)
    ),
    *(st.sampled_from(["\n\n", "\n\n", "\n"]), st.sampled_from(COLONS)),
    *(st.lists(st.sampled_from(NAMES[:5] * 6 + NAMES), min_size=12, max_size=12), rows),
)
texts = st.builds(
    lambda above, inside, below: f"{above}{inside}{below}",
    *(st.sampled_from(ABOVE), lists | tables | named, st.sampled_from(BELOW)),
)


def read(text: str, known: Known) -> Markdown:
    """A document whose lists are all long enough to be read by rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "LONG", 0)
        return Reader(known, to_reference).read(text)


def as_a_whole(text: str) -> Markdown:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_markdown_rows, "cut", lambda _text: None)
        return read(text, Known())


class Kept(dict[bytes, bytes]):
    """What was kept from a build before."""

    put = dict.__setitem__

    def __call__(self, _room: str) -> Kept:
        return self


@given(st.lists(texts, min_size=1, max_size=3))
def test_what_is_read_by_rows_reads_as_a_whole(releases: list[str]) -> None:
    """Whatever its rows are, and whatever was met before, a text has the same blocks, row by row and as a whole."""
    kept, known = Kept(), Known()
    for text in releases:
        assert read(text, known) == read(text, Known(kept)) == as_a_whole(text)


LIST = [f"- **n{number}**: the *text* of it" for number in range(20)]
NAMED = [line for number in range(20) for line in (f"n{number}", ": the *text* of it", "")][:-1]
TABLE = ["| Term | Definition |", "|---|---|", *(f"| n{number} | the *text* of it |" for number in range(20))]


KINDS = pytest.mark.parametrize("lines", [LIST, TABLE, NAMED], ids=["list", "table", "definitions"])


@KINDS
def test_a_row_is_parsed_once(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that was met takes no parser in the next build; the first and the last go with what is around."""
    kept = Kept()
    text = "\n".join(lines)
    read(f"# Glossary\n\n{text}", Known(kept))
    edited = "# Terms\n\n" + text.replace("n10", "edited")
    whole, parsed = as_a_whole(edited), []
    parse: Callable[..., object] = tokens
    for module in ("chunk_parser", "rows"):
        monkeypatch.setattr(
            f"sitegen.formats.markdown.{module}.tokens", lambda text, env: (parsed.append(text), parse(text, env))[1]
        )
    assert read(edited, Known(kept)) == whole
    assert sorted(name for text in parsed for name in re.findall(r"n\d+|edited", text)) == ["edited", "n0", "n19"]


@KINDS
def test_names_and_lines_of_rows(lines: list[str]) -> None:
    """Each row is an entry at its own line, and what stands below keeps its line too."""
    markdown = read("\n".join(["# Glossary\n", *lines, "", "Last words."]), Known())
    _, (_, block), (_, below) = markdown.blocks()
    assert [item.names[0] for item in block.items] == [f"n{number}" for number in range(20)]
    assert [item.line for item in block.items] == [
        line for line, text in enumerate(lines, start=3) if re.search(r"n\d", text)
    ]
    assert below.line == len(lines) + 4
