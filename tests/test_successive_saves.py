"""Successive saves: results of earlier saves do not affect the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from glossaries import with_documents
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegen.config.parsing import parse
from sitegen.model import Document, Source
from sitegen.pipeline import assembly
from sitegen.preview.session import LivePages
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.sources.reading import Glossaries
from sitegen.text import memo

RELEASES = ("1", "2", "3")
NAMES = ("A", "a", "B", "C", "D")
WORDINGS = (
    "One thing of its own kind.",
    "See [A](#a), and also [B](#b).",
    "Same as [C](#c).",
    "Deprecated since 2: use [B](#b).",
    "- a list\n- of [D](#d)",
)

Wording = Mapping[str, str]
Text = tuple[int, Wording]
"""How many lines stand above the first term, and the terms."""

texts = st.tuples(
    st.integers(0, 2),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(WORDINGS), max_size=5),
)
histories = st.tuples(texts, texts, texts)
saves = st.lists(st.tuples(st.sampled_from([2, 2, 2, 1, 0]), texts), min_size=1, max_size=4)

CONFIG = parse('[[source]]\nid = "s"\ntitle = "S"\nfolder = "."\n', path="site.toml")
TEMPLATES = read_templates()


def read(history: Sequence[Text]) -> Glossaries:
    """Returns a source in Markdown."""
    documents = [document(name, text) for name, text in zip(RELEASES, history, strict=True)]
    source = with_documents(Source(id="s", title="S", releases=()), documents)
    return Glossaries(sources=(source,))


def document(release: str, text: Text) -> Document:
    above, wording = text
    entries = (f"## {name}\n\n{words}\n" for name, words in wording.items())
    written = "\n".join(chain(["# Glossary\n" + "\n" * above], entries))
    return Document(source="s", release=release, path=f"{release}/g.md", name="g.md", text=written)


def shown(fresh: LivePages, site: Site) -> Mapping[str, bytes | None]:
    """Returns the page of every term with its other files."""
    addresses = (
        f"term/{slug}/index.{ending}"
        for slug in site.permanence.owners
        for ending in ("html", "json", "md")
    )
    frozen = (f"{one.address.removeprefix('/')}index.html" for one in site.permanence.frozen)
    return {address: fresh.content(address) for address in (*addresses, *frozen)}


MOVED = (
    (0, {"A": WORDINGS[0], "B": WORDINGS[1]}),
    (0, {"A": WORDINGS[0], "B": WORDINGS[1]}),
    (0, {}),
)


@settings(max_examples=30)
@example(
    MOVED,
    [(1, (1, MOVED[1][1])), (0, (2, MOVED[0][1])), (2, (2, MOVED[0][1])), (2, (0, MOVED[0][1]))],
    False,
)
@given(histories, saves, st.booleans())
def test_a_site_does_not_depend_on_earlier_saves(
    history: tuple[Text, ...], saves: list[tuple[int, Text]], is_published: bool
) -> None:
    """After every save of any release, the site is the one assembled anew."""
    ledger = assembly.assemble(CONFIG, read(history), {}).permanence.rows if is_published else {}
    for number, text in ((0, history[0]), *saves):
        history = (*history[:number], text, *history[number + 1 :])
        site = assembly.assemble(CONFIG, read(history), ledger)
        memo.clear()
        anew = assembly.assemble(CONFIG, read(history), ledger)
        assert site == anew
        assert site.permanence.rows == anew.permanence.rows
        fresh, made = (LivePages(one, TEMPLATES) for one in (site, anew))
        assert shown(fresh, site) == shown(made, anew)
