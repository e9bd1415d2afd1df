"""Other documents: links to terms, and checks of the names that they use."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command
from glossaries import source
from sites import data_of, site_of

from sitegen.config.tables import Rename
from sitegen.integrations.documents import worded_ranges
from sitegen.integrations.mentions import Mentions
from sitegen.integrations.outdated import findings, outdated
from sitegen.integrations.term_links import linked
from sitegen.model import SitegenError

BASE = "https://example.org/ships/"

SHIPS = site_of(
    source(
        "ships",
        {
            "1.0": {
                "Anchor": "Holds.",
                "Boat": "Floats.",
                "Crew": "Sails.",
                "Wherry": "Deprecated. Use Crew instead.",
                "C++": "C.",
            },
            "1.1": {
                "Anchor": "Holds the boat.",
                "Vessel": "Floats.",
                "Crew; hands": "Sails.",
                "C++": "C.",
                "Log": "Deprecated. Use Vessel instead.",
            },
        },
    ),
    renames=(Rename(source="ships", old="Boat", new="Vessel", release="1.1"),),
    base_url=BASE,
)
SITE = data_of(SHIPS)


def mentioned(text: str, *names: str) -> list[str]:
    """Returns the mentions of these names in a text."""
    found = Mentions(names).find(text)
    return [f"{text[one.start : one.end]} = {one.name}" for one in found]


MENTIONS: dict[str, tuple[str, tuple[str, ...], list[str]]] = {
    "a long form and its acronym": (
        "From the Python Package Index, PyPI",
        ("Package Index", "Python Package Index (PyPI)"),
        [
            "Python Package Index = Python Package Index (PyPI)",
            "PyPI = Python Package Index (PyPI)",
        ],
    ),
    "a capital where other names have none": (
        "An environment variable, or variables. A Variable, two Variables, and a DATALOADER for "
        "the Tensor",
        ("Variable", "DataLoader", "tensor", "batch"),
        [
            "Variable = Variable",
            "Variables = Variable",
            "DATALOADER = DataLoader",
            "Tensor = tensor",
        ],
    ),
    "the beginning of a longer name at the end": (
        "Weigh the sea anchor",
        ("sea anchor", "sea anchor chain"),
        ["sea anchor = sea anchor"],
    ),
    "whole words": ("An anchorage has an anchor.", ("anchor",), ["anchor = anchor"]),
    "capitals do not matter": (
        "ANCHOR, Anchor",
        ("anchor",),
        ["ANCHOR = anchor", "Anchor = anchor"],
    ),
    "unless two names differ in nothing else": (
        "HEAD and head, Head",
        ("HEAD", "head"),
        ["HEAD = HEAD", "head = head"],
    ),
    "plurals": ("two anchors", ("anchor",), ["anchors = anchor"]),
    "plurals of other endings": (
        "two queries, boxes and boxs",
        ("query", "box"),
        ["queries = query", "boxes = box", "boxs = box"],
    ),
    "a name that ends in s": ("one axis, no axi", ("axis",), ["axis = axis"]),
    "the longest name": (
        "a leaf operation",
        ("leaf", "leaf operation"),
        ["leaf operation = leaf operation"],
    ),
    "the next best": ("a leaf opera", ("leaf", "leaf operation"), ["leaf = leaf"]),
    "over the end of a line": (
        "a leaf\n  operation",
        ("leaf operation",),
        ["leaf\n  operation = leaf operation"],
    ),
    "signs": ("C++ and C, no C#", ("C++", "C"), ["C++ = C++", "C = C"]),
    "a small letter": ("the C of a c", ("c",), ["c = c"]),
    "a name like a stop word": ("if it is an If", ("If",), ["If = If"]),
    "several words with capitals": (
        "a sea anchor",
        ("Sea Anchor", "boat", "tape", "crew"),
        ["sea anchor = Sea Anchor"],
    ),
    "a single letter to the letter": ("a c is no C", ("C",), ["C = C"]),
    "not in a path": (
        "torch.nn, a/torch, torch-like, #torch, torch.",
        ("torch",),
        ["torch = torch"],
    ),
    "no word of every sentence": ("it is in IT", ("in", "IT"), ["IT = IT"]),
    "capitals as they are written": (
        "The 10 th api; TH and APIs",
        ("TH", "API"),
        ["TH = TH", "APIs = API"],
    ),
    "another script": ("Что такое якорь?", ("якорь",), ["якорь = якорь"]),
}


@pytest.mark.parametrize("case", MENTIONS)
def test_mentions(case: str) -> None:
    """A name is found where a reader would see a mention."""
    text, names, expected = MENTIONS[case]
    assert mentioned(text, *names) == expected


DOCUMENT = """---
title: anchor
---
# An anchor, in a heading

The anchor is `anchor`, and ``an `anchor` too``, [an anchor](anchor.md), ![anchor](a.png), <b id="anchor">anchor</b>
An <A href="anchor">anchor</A>, <code>anchor</code>, <i title="a > anchor">anchor</i>, <a id="anchor"/>anchor, <a>
anchor</a >, `<a>` anchor `</a>`
https://anchor.org, <https://example.org/anchor>, [anchor] and [the anchor][anchor], $anchor$, {term}`anchor`.

- an anchor in an item

| anchor |
|--------|
| anchor |

    anchor = code

```python
anchor
```

[anchor]: https://example.org/anchor
"""


def seen(text: str, stretches: Callable[[str], object]) -> str:
    """Returns a text with dots in place of what is skipped."""
    shown = ["." if letter != "\n" else letter for letter in text]
    for start, end in stretches(text):  # type: ignore[attr-defined]
        shown[start:end] = text[start:end]
    return "".join(shown)


def test_what_is_checked() -> None:
    """A name in a heading or a link's text counts as used."""
    lines = seen(DOCUMENT, lambda text: worded_ranges(text, path="a.md")).split("\n")
    assert lines[3].endswith("An anchor, in a heading")
    assert "[an anchor" in lines[5] and "anchor.md" not in lines[5]
    assert [line.count("anchor") for line in lines[6:8]] == [3, 2]
    rst = "The anchor is ``anchor``, :term:`anchor`, an anchor::\n\n   anchor = code\n\nAnchor.\n"
    assert seen(rst, lambda text: worded_ranges(text, path="a.rst")).count("nchor") == 4
    assert (
        seen("anchor https://anchor.org", lambda text: worded_ranges(text, path="a.txt"))
        == "anchor " + "." * 18
    )


RST = """.. note::

   Shown, ``hidden``. Shown::

      hidden

   Shown.

   .. code-block:: python
      :caption: hidden

      hidden

   Shown.

.. Tip:: Shown
   and shown.
.. versionchanged:: 2.0
   Shown.
.. |hidden| replace:: Shown

.. list-table:: Shown
   :class: hidden

   * - Shown
     - .. math::

          hidden
     - Shown |hidden|

+-------+----------+
| Shown | ``code`` |
+-------+----------+

.. hidden
   hidden

..
   hidden
.. _hidden: https://example.org/hidden
.. [1] Shown
   and shown.

.. py:function:: hidden(hidden)
                 hidden(hidden)

   Shown.

   :param hidden: Shown.

.. unheard-of::
   :hidden:

   Shown.

- Shown::

    hidden

  Shown.

   >>> hidden
   hidden

Shown.
"""


FLAVORS = {
    "mkdocs.md": """# Shown {#hidden}

!!! note "Shown"

    Shown below a title.

        hidden = code

    === "Shown"

        Shown in a tab.

        ```sh
        hidden
        ```

??? tip
    Shown without an empty line.

- an item

    !!! warning

        Shown in a list.

Shown
Shown as another name
:   Shown as their definition.

    Shown in a second paragraph.

        hidden = code

[^hidden]: Shown in a note.

    Shown below it.

``` {.python}
hidden
```

--8<-- "hidden.md"
{: .hidden title="hidden" }

Shown :hidden-icon: and ![hidden](a.png){ width=3 title="hidden" } and `hidden`{ .hidden }[^hidden].

    hidden = code
""",
    "myst.md": """---
hidden: true
---
(hidden)=
# Shown

::::{grid} 2
:gutter: hidden

:::{card} Shown
:class: hidden

Shown in a card.
:::
::::

````{tip}
---
class: hidden
---
Shown.

```{code-block} sh
hidden
```

```{note}
Shown in a note.
```
````

1. an item

   ```{figure} hidden.png
   :alt: hidden

   Shown as a caption.
   ```

:::{math}
hidden
:::

> ```{note} Shown
> :name: hidden
>
> Shown in a quote.
> ```

% hidden
+++ {"hidden": 1}

Shown, {ref}`hidden`.
""",
    "quarto.qmd": """---
hidden: true
...

## Shown {#sec-hidden .hidden}

::: {.callout-tip title="hidden"}
Shown.
:::

```{r, echo=FALSE}
hidden
```

```{mermaid}
hidden
```

Shown in @fig-hidden and [@hidden2020; @hidden2021], [shown]{.hidden}^[Shown in a note.].

{{< video hidden.mp4 >}}

Shown
: Shown as its definition.
""",
    "docusaurus.mdx": """import Hidden from 'hidden';
import {
  hidden,

} from 'hidden';

export const hidden = () => {
  return 1;
};

# Shown

:::tip[Shown]
Shown.
:::

<Card title={hidden} kind="hidden">

    Shown, as no code is indented.

</Card>

Shown {hidden.map(hidden => ({ a: 1 }))} {/* hidden */} <Badge text="hidden" />

export of goods is shown.
""",
}
"""Documents in which "shown" is prose and "hidden" is not."""
FLAVORS["knitr.Rmd"] = FLAVORS["quarto.qmd"]


@pytest.mark.parametrize("path", FLAVORS)
def test_what_is_checked_in_other_flavors(path: str) -> None:
    """Notes, tabs, definitions and footnotes are checked; markers, options, attributes, targets and
    statements are not."""
    text = FLAVORS[path]
    left = seen(text, lambda text: worded_ranges(text, path=path))
    assert "hidden" not in left
    assert left.lower().count("shown") == text.lower().count("shown")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_is_checked_in_restructured_text(line_end: str) -> None:
    """Notes, tables and other text are checked; code, comments and directives for programs are
    not."""
    text = RST.replace("\n", line_end)
    left = seen(text, lambda text: worded_ranges(text, path="a.rst"))
    assert "hidden" not in left
    assert left.lower().count("shown") == RST.lower().count("shown") == 20


def test_a_link_to_paste() -> None:
    """A term is found by any name; the link has its words, of now or of a release."""
    assert linked(SITE, "hands").address == f"{BASE}term/crew/"
    assert linked(SITE, "boat").address == f"{BASE}term/vessel/"
    assert linked(SITE, "anchor", release="1.0").address == f"{BASE}term/anchor/1.0/"
    assert linked(SITE, "anchor", release="1.0").quotation == (
        f"**[Anchor]({BASE}term/anchor/1.0/)** — Ships 1.0\n> Holds."
    )


@pytest.mark.parametrize("asked", ["v1.0", "release-1.0"])
def test_a_release_is_found_by_its_tag(asked: str) -> None:
    """A tag means its release."""
    assert linked(SITE, "anchor", release=asked).address == f"{BASE}term/anchor/1.0/"
    assert SITE.find("anchor").term.at(asked).text == "Holds."


@pytest.mark.parametrize(
    ("name", "release", "outcome"),
    [
        ("ancor", "", "“ancor”: no term has this name; did you mean “Anchor”?"),
        ("xyzzy", "", "“xyzzy”: no term has this name"),
        ("wherry", "1.1", "“Wherry” was not defined in 1.1; it was in 1.0"),
        ("anchor", "9", "no source has the release 9; known: 1.0, 1.1"),
        ("anchor", "1.2", "no source has the release 1.2; known: 1.0, 1.1"),
    ],
)
def test_no_link(name: str, release: str, outcome: str) -> None:
    """What cannot be linked is one line with a remedy."""
    with pytest.raises(SitegenError) as refused:
        linked(SITE, name, release=release)
    assert str(refused.value) == outcome


def test_no_link_to_a_release_where_there_is_none() -> None:
    """Without releases, the remedy says so."""
    read = source("own", {"": {"Anchor": "Holds."}})
    site = site_of(read, base_url=BASE)
    with pytest.raises(SitegenError, match=r"no source has the release 9; there is none$"):
        linked(data_of(site), "anchor", release="9")


def found(text: str, *, path: str = "notes.md") -> list[str]:
    return [str(one) for one in findings(SITE, outdated(SITE), {path: text})]


def test_the_name_of_a_merged_term_is_outdated() -> None:
    """It is reported with the name of the term that it became part of."""
    boats = {"Vessel": "A boat or ship.", "Barge": "A flat boat."}
    rename = Rename(source="own", old="Barge", new="Vessel")
    read = source("own", {"1.0": boats, "1.1": {"Vessel": "A boat or ship."}})
    site = data_of(site_of(read, renames=(rename,), base_url=BASE))
    [reported] = findings(site, outdated(site), {"notes.md": "A barge.\n"})
    assert str(reported) == "notes.md:1:3: “barge” was merged in 1.1; use “Vessel”"


def test_outdated_names_are_found() -> None:
    """Names of removed, renamed and deprecated terms are reported with their place and the name to
    use."""
    assert found("# Notes\n\nA Wherry, `boat`, two boats\nand a log.\n") == [
        "notes.md:3:3: “Wherry” was removed in 1.1; use “Crew”",
        "notes.md:3:23: “boats” is a former name since 1.1; use “Vessel”",
        "notes.md:4:7: “log” is deprecated; use “Vessel”",
    ]
    assert found("A vessel, its anchor, its crew.") == []


def test_former_names_of_a_removed_term_are_no_mistake() -> None:
    """A former name of a term that was removed without a replacement is not reported."""
    glossary = {"1.0": {"boat": "Floats."}, "1.1": {"ship": "Floats."}, "1.2": {"crew": "Sails."}}
    site = site_of(source("own", glossary), renames=(Rename(source="own", old="boat", new="ship"),))
    assert outdated(data_of(site)) == ()


def test_former_names_of_a_merged_term_are_outdated() -> None:
    """A merged term is replaced under all its names, also those that it had before."""
    sails = {"vessel": "Sails."}
    glossary = {
        "1.0": {"boat": "Floats.", **sails},
        "1.1": {"barge": "Floats.", **sails},
        "1.2": {"vessel; barge": "Sails."},
    }
    site = site_of(
        source("own", glossary), renames=(Rename(source="own", old="boat", new="barge"),)
    )
    (name,) = outdated(data_of(site))
    assert (name.name, name.rule, name.instead) == ("boat", "merged", "vessel")


def test_a_term_that_was_deprecated_and_removed_is_outdated() -> None:
    """A removed term counts without a replacement, too, if it was deprecated before."""
    deprecated = {"boat": "Deprecated. Floats.", "crew": "Sails."}
    site = site_of(source("own", {"1.0": deprecated, "1.1": {"crew": "Sails."}}))
    (name,) = outdated(data_of(site))
    assert (name.name, name.rule, name.instead) == ("boat", "removed", "")


def test_a_name_is_outdated_for_one_reason() -> None:
    """A name that is deprecated, and the former name of another term, is reported as deprecated;
    without a replacement nothing is said to use."""
    glossary = {
        "1.0": {"boat": "Floats.", "crew": "Sails."},
        "1.1": {"ship": "Floats.", "Boat": "Deprecated. Something small."},
    }
    site = data_of(
        site_of(source("own", glossary), renames=(Rename(source="own", old="boat", new="ship"),))
    )
    (use,) = findings(site, outdated(site), {"a.md": "A boat."})
    assert str(use) == "a.md:1:3: “boat” is deprecated since 1.1"


def test_a_name_that_is_used_again_is_no_mistake() -> None:
    """A former name that another term has now is not reported."""
    site = site_of(
        source(
            "own", {"1.0": {"boat": "Floats."}, "1.1": {"ship": "Floats.", "boat": "Is small."}}
        ),
        renames=(Rename(source="own", old="boat", new="ship", release="1.1"),),
    )
    assert "boat" not in {one.name for one in outdated(data_of(site))}


def test_a_former_name_that_the_glossary_uses_is_no_mistake() -> None:
    """An inferred former name counts if the glossary stopped using it; a removed name without a
    replacement does not."""
    site = site_of(
        source(
            "own",
            {
                "1": {
                    "CD": "Software goes out often and on its own.",
                    "Skiff": "Floats on rivers and lakes.",
                    "Oar": "Rows.",
                },
                "2": {
                    "Continuous Delivery (CD)": "Software goes out often and on its own.",
                    "Dinghy": "Floats on rivers and lakes.",
                },
            },
        )
    )
    site = data_of(site)
    assert [(one.name, one.rule) for one in outdated(site)] == [("Skiff", "renamed")]


COLD = data_of(
    site_of(
        source(
            "own",
            {
                "1": {"Archive": "Is read-only.", "Go": "Moves.", "Log": "Is kept."},
                "2": {
                    "Cold archive": "Is read-only.",
                    "Go on": "Stays.",
                    "Archive of C++": "Is code.",
                },
            },
        ),
        renames=(
            Rename(source="own", old="Archive", new="Cold archive", release="2"),
            Rename(source="own", old="Go", new="Go on", release="2"),
        ),
    )
)
LONGER = [
    ("A cold archive, the COLD archives.", []),
    ("A scold archive; the archive of C++, an archive of more.", ["archive", "archive"]),
    ("Go on, go once.", ["go"]),
]


@pytest.mark.parametrize(("text", "expected"), LONGER)
def test_a_good_name_is_no_mistake(text: str, expected: list[str]) -> None:
    """An outdated name inside a current one is not reported."""
    assert [one.text for one in findings(COLD, outdated(COLD), {"a.md": text})] == expected


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Command:
    """Runs the command beside a glossary, `ships`, and a text that mentions it."""
    for release, text in {
        "1.0": "## Boat\n\nFloats.\n\n## Wherry\n\nDeprecated. Use Boat instead.\n",
        "1.1": "## Boat\n\nFloats.\n",
    }.items():
        (tmp_path / "ships" / release).mkdir(parents=True)
        (tmp_path / "ships" / release / "GLOSSARY.md").write_text(f"# Glossary\n\n{text}")
    (tmp_path / "ships/site.toml").write_text(f'[site]\nbase_url = "{BASE}"\n')
    (tmp_path / "notes.md").write_bytes(b"A boat\r\nand a wherry.\r\n")
    return command


def test_the_command_link(run: Command) -> None:
    """`sitegen link` prints a link or quotation."""
    assert run("link", "boat", "--glossary", "ships").out == f"{BASE}term/boat/\n"
    quoted = run("link", "boat", "--glossary", "ships", "--release", "1.0", "--markdown")
    assert quoted.out.splitlines() == [
        f"**[Boat]({BASE}term/boat/1.0/)** — Glossary 1.0 to 1.1",
        "> Floats.",
    ]


def test_link_of_a_site_without_an_address(run: Command, tmp_path: Path) -> None:
    """Without a base_url, `sitegen link` prints the path on the site, and on standard error the
    line to add."""
    (tmp_path / "ships/site.toml").unlink()
    outcome = run("link", "boat", "--glossary", "ships")
    assert (outcome.status, outcome.out) == (0, "term/boat/\n")
    assert 'add base_url = "https://…/" to [site]' in outcome.err


def test_a_quotation_calls_nobody(run: Command, tmp_path: Path) -> None:
    """`sitegen link --markdown` prints exactly what the copy button of a page copies."""
    text = "# Glossary\n\n## Boat\n\nAsk @me, see #12 and https://example.org.\n"
    (tmp_path / "ships/1.1/GLOSSARY.md").write_text(text)
    quoted = run("link", "boat", "--glossary", "ships", "--markdown").out
    assert quoted.endswith("\n> Ask @\u200bme, see #\u200b12 and https:\u200b//example.org.\n")


def test_the_command_check_text(run: Command) -> None:
    """`sitegen check-text` ends with status 1 if it found something, as lines or as JSON."""
    outcome = run("check-text", "notes.md", "--glossary", "ships")
    assert (outcome.status, outcome.out) == (
        1,
        "notes.md:2:7: “wherry” was removed in 1.1; use “Boat”\n",
    )
    outcome = run("check-text", "notes.md", "--glossary", "ships", "--json")
    assert json.loads(outcome.out)["findings"][0]["rule"] == "removed"
    assert run("check-text", "notes.md", "--glossary", "ships", "--advisory").status == 0


def test_files_that_cannot_be_read(run: Command, tmp_path: Path) -> None:
    """A missing or binary file is one line, and other files are still checked."""
    (tmp_path / "latin.md").write_bytes(b"one\ncaf\xe9\n")
    assert run("check-text", "none.md", "--glossary", "ships").err.startswith(
        "none.md: cannot be read"
    )
    (tmp_path / "fine.md").write_text("A wherry.\n")
    outcome = run("check-text", "latin.md", "fine.md", "--glossary", "ships")
    assert (outcome.status, outcome.out) == (
        2,
        "fine.md:1:3: “wherry” was removed in 1.1; use “Boat”\n",
    )
    assert outcome.err == "latin.md:2: is not UTF-8; save the file in UTF-8\n"
    assert "Missing argument" in run("check-text", "--glossary", "ships").err
