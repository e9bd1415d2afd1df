"""What was read before is not read again, and comes to the same as if it were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from glossaries import elsewhere, source
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegen import formats
from sitegen.addresses.permalinks import permalinks
from sitegen.formats.common.passages import Block
from sitegen.formats.markdown import chunk_parser
from sitegen.formats.markdown.chunks import Reader
from sitegen.formats.markdown.commonmark import tokens
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.history import lives as history
from sitegen.history import matching as chains
from sitegen.history.matching import Chain, Word
from sitegen.history.merging import merge
from sitegen.history.references import Resolver, resolve_all
from sitegen.model import Document, Edition, Reading, Rename, Said, Source, Verdict
from sitegen.model.terms import Life
from sitegen.sources.editions import forget_others, read_all
from sitegen.text import prose
from sitegen.text.known import Form, Known
from sitegen.text.names import Keys, keys

PIECES = (
    "# Glossary\n,## A\n,## A\n,### b\n,words,`code`,[x],[x][y],[x]: /u\n,[y]: #a\n,  [z]: /u 't\n,[^1],[^1]: note\n,"
    "[^2],\n[^2]: see [x] and [^1]\n,- [^2]: deep\n,"
    "**Name**: text,**Name**\n,\n\n,\n\n,\n\n,\n,- item\n,  more\n,    deep\n,> quote\n,```\n,~~~ x\n,::: tip\n,"
    ":::\n,!!! note\n,<!--,-->\n,<div>\n,</div>\n,<a name='x'></a>\n,<h2>raw</h2>\n,---\n,===\n,$$\n,$,"
    ": definition\n,term\n,| a | b |\n,|---|---|\n,{#id},[[toc]],[top](#glossary),\\,<script>,</script>,*,_,&amp;,"
    "<dl>\n,<dt>x,<dd>\n,</dl>\n,{: .x},{: .x}\n,*[A]: b\n,{{< glossary_tooltip term_id='b' >}},{{< x >}},<br>"
).split(",")

texts = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces) + "\n")


def document(text: str, path: str = "1/GLOSSARY.md") -> Document:
    return Document(source="s", release="1", path=path, name="GLOSSARY.md", text=text)


def test_a_value_is_made_once() -> None:
    """The same is not made twice; what is given in another way, or made by another maker, is something else."""
    made: list[str] = []

    def note(given: str, _known: Known) -> None:
        made.append(given)  # and what is made may well be None

    def shout(given: str, known: Known) -> str:
        return f"{known.of(note)[given]}!"

    known = Known()
    assert [known.of(note)[text] for text in ("a", "a", "b")] == [None, None, None]
    assert [known.of(shout)[text] for text in ("b", "c")] == ["None!", "None!"]
    assert made == ["a", "b", "c"]


def test_a_document_is_told_by_its_text() -> None:
    """Another text is another document, also when it takes the place of one that is known."""
    one = document("# Glossary\n\n## A\n\nOne.\n")
    assert one.digest == document(one.text, "2/GLOSSARY.md").digest
    edited = replace(one, text=one.text.replace("One", "Two"))
    assert edited.digest != one.digest
    known = Known()
    assert [formats.read(each, known).entries[0].definition.text for each in (one, edited)] == ["One.", "Two."]


def test_what_was_met_is_looked_through_once() -> None:
    """Who asks for the keys of what was met, document after document, does not look through all of it each time."""
    form: Form[int, tuple[int]] = Form("room", key=bytes, dump=lambda made, known: b"", load=lambda data, known: None)
    known, looked_at = Known(), []

    def part(made: tuple[int]) -> object:
        looked_at.append(made[0])
        return made

    made = [(number,) for number in range(3)]
    for one in made:
        known.keep(bytes([one[0]]), one, form)
        assert known.keys(form, part)[id(one)] == bytes([one[0]])
    assert looked_at == [0, 1, 2]


def test_what_is_over_is_forgotten() -> None:
    """What was made of something that is over is made again when it is asked for; nothing else is."""
    made: list[str] = []

    def note(given: str, _known: Known) -> None:
        made.append(given)

    known = Known()
    for _ in range(2):
        assert [known.of(note)[text] for text in ("a", "b")] == [None, None]
        known.forget("a".__eq__)
    assert made == ["a", "b", "a"]


def test_what_is_made_while_others_are_forgotten_stays() -> None:
    """A save may come while what is over is let go: what is made then is known, and nobody trips over it."""
    known = Known()

    def note(given: int, _known: Known) -> int:
        return given

    def is_over(given: object) -> bool:
        return known.of(note)[int(str(given)) + 100] < 102

    assert [known.of(note)[number] for number in range(3)] == [0, 1, 2]
    known.forget(is_over)
    assert [*known.of(note)] == [2, 100, 101, 102]


def test_what_is_made_of_each_is_made_once() -> None:
    """Of several, what is made of one is made once, until it is not among them any more."""
    made: list[str] = []

    def shout(given: str, _known: Known) -> str:
        made.append(given)
        return f"{given}!"

    known = Known()
    for several in (["a", "b"], ["b", "c"], ["c", "b"], ["a", "b"]):
        assert known.each(shout, several) == [f"{one}!" for one in several]
    assert made == ["a", "b", "c", "a"]


def test_what_is_given_by_keys_is_made_once() -> None:
    """What is made by a key is made again only where what is given by it differs, and stands in the given order."""
    made: list[str | None] = []

    def shout(given: str | None, _known: Known) -> str:
        made.append(given)
        return f"{given}!"

    known = Known()
    for several in (
        {1: "a", 2: "b"},
        {2: "b", 1: "a"},
        {1: "b", 2: "b"},
        {1: "b", 3: "a"},
        {1: "a"},
        {1: "a", 2: None},
    ):
        assert list(known.by(shout, several).items()) == [(key, f"{one}!") for key, one in several.items()]
    assert made == ["a", "b", "b", "a", "a", None]


def test_what_is_still_the_same_is_made_once() -> None:
    """What is made of several things together is made again where any of them differs from the last time."""
    made: list[tuple[object, ...]] = []

    def together(*given: object) -> tuple[object, ...]:
        made.append(given)
        return given

    known = Known()
    for given_ in ((1, {"a": 1}), (1, {"a": 1}), (2, {"a": 1}), (1, {"a": 1})):
        assert known.still(together, *given_) == given_
    assert made == [(1, {"a": 1}), (2, {"a": 1}), (1, {"a": 1})]


def test_what_is_equal_is_the_same_object_again() -> None:
    """A value that is equal to one of the last time is that one, each in its place; others are themselves."""
    known = Known()
    old, other = Word(Keys(()), (), ()), Word(Keys(()), (), (Verdict(kind="same", names=("a",)),))
    assert known.again(Word, [old]) == (old,)
    twin = replace(old)
    first, second, third = known.again(Word, [twin, other, twin])
    assert first is third is old
    assert second is other
    known.again(Word, [other])
    assert known.again(Word, [twin])[0] is twin


def test_documents_that_are_over_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document is read once as long as it is among those that are read; after that, nothing of it is left."""
    read: list[str] = []

    def reading(document: Document, known: Known) -> Reading:
        read.append(document.text)
        return Reading(is_furniture=True)

    any_format = SimpleNamespace(name="any", looks_like=lambda document, known: True, parse=reading)
    monkeypatch.setattr(formats, "FORMATS", (any_format,))
    known = Known()
    for text in ("a", "a", "b", "a"):
        documents = [document(text), document(text, "2/GLOSSARY.md")]
        assert len(list(read_all(documents, known))) == 2
        forget_others(documents, known)
    assert read == ["a", "b", "a"]


@settings(max_examples=50)
@given(st.lists(texts, min_size=1, max_size=3), st.sampled_from(["markdown", "myst", "sphinx", "html", "text"]))
def test_a_memory_changes_nothing(releases: list[str], format: str) -> None:
    """Whatever was read before, a document reads as it does the first time."""
    known = Known()
    for text in releases:
        given_ = Document(source="s", release="1", path="p", name="p", text=text, format=format)
        assert formats.read(given_, known) == formats.read(given_)


class Kept(dict[bytes, bytes]):
    """What was kept from a time before, of one kind or of all."""

    put = dict.__setitem__

    def __call__(self, _room: str) -> Kept:
        return self


@settings(max_examples=50)
@given(st.lists(texts, min_size=1, max_size=3), st.sampled_from(["markdown", "myst", "sphinx", "html", "text"]))
@example(["```{glossary}\na\n  ```c\n  ```\nb\n  c\n```\n"], "myst")
def test_what_was_kept_is_what_would_be_read(releases: list[str], format: str) -> None:
    """A document reads as it does the first time, whatever of it and of others was kept, or is lost since."""
    documents = [replace(document(text), format=format) for text in releases]
    fresh = [formats.read(one) for one in documents]
    kept = Kept()
    assert [formats.read(one, Known(kept)) for one in documents] == fresh
    assert [formats.read(one, Known(kept)) for one in documents] == fresh
    for key in list(kept):
        with_a_loss = Kept((other, value) for other, value in kept.items() if other != key)
        assert [formats.read(one, Known(with_a_loss)) for one in documents] == fresh


def test_what_was_kept_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept is neither parsed nor cleaned, and what is said is the same object at every release."""
    kept = Kept()
    text = "# Glossary\n\n## Parts\n\n### A\n\nOne *thing*.\n\n## Wholes\n\n### B\n\nAnother.\n"
    releases = [document(text, "1"), document(f"{text}\n", "2")]
    for one in releases:
        formats.read(one, Known(kept))
    monkeypatch.setattr(prose, "from_html", None)
    known = Known(kept)
    first, second = (formats.read(one, known).entries[0] for one in releases)
    assert first.said is second.said
    assert (first.section, first.place.path, second.place.path) == ("Parts", "1", "2")


def placed(located: Iterable[tuple[int, Block]]) -> list[Block]:
    """Blocks with all lines counted in the document."""
    return [
        replace(
            block,
            line=before + block.line,
            items=tuple(item._replace(line=before + item.line) for item in block.items),
        )
        for before, block in located
    ]


@given(texts)
def test_a_document_that_was_cut_reads_as_a_whole(text: str) -> None:
    """Cutting a Markdown document into pieces changes neither its blocks nor their lines nor what is odd."""
    reader = Reader(Known(), to_reference)
    cut, whole = reader.read(text), reader.read_whole(text)
    assert placed(cut.blocks()) == placed(whole.blocks())
    assert list(cut.problems()) == list(whole.problems())


LABELS = [
    *("[x y]", "[X  Y]", "[x\ny]", "> [x\n> y]", "- > [x\n  > y]", "[x y][]", "![x y]", "[x [x y]]", "[t][x\ny]"),
    *(
        "[x\xa0y]",
        "[a\\]b]",
        "[a `\\` b]",
        "[a `\\` b",
        "`[`",
        "\\[",
        "[",
        "]",
        "[ss]",
        "[ß]",
        "[ẞ]",
        "[^n]",
        "[^^n]",
    ),
    *("| a |\n|---|\n| [x\\|y] |", "| a |\n|---|\n| [^n\\|m] |", "[x|y]", "[^n|m]", "x [^n] [x y] [ss]", "[^[x y]"),
]
DEFINED = (
    "[x y]: /u|[X y]: /v|[a\\]b]: /w|[a `\\` b]: /c|[x:y]: /p|[SS]: /s|[ß]: /z|[^n]: note [ss]|[^n:m]: two".split("|")
)

labelled = st.lists(
    st.sampled_from(
        [*LABELS, *(f"\n\n{one.replace(':y', '|y').replace(':m', '|m')}\n" for one in DEFINED)] + ["\n\n## A\n\n"] * 6
    ),
    max_size=16,
).map("".join)


@given(labelled)
def test_a_piece_is_given_every_label_that_it_uses(text: str) -> None:
    """Links and footnotes lead from any piece of a document to any other, however their labels are written."""
    reader = Reader(Known(), to_reference)
    assert placed(reader.read(text).blocks()) == placed(reader.read_whole(text).blocks())


@given(texts)
def test_a_piece_that_was_kept_is_what_was_parsed(text: str) -> None:
    """The pieces of a document are the same in the next build, to the last anchor."""
    kept = Kept()
    parsed = Reader(Known(kept), to_reference).read(text)
    assert Reader(Known(kept), to_reference).read(text) == parsed == Reader(Known(), to_reference).read(text)


def test_a_piece_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What took the parser once does not take it in the next build, whatever else the document says by then."""
    kept, parsed = Kept(), []
    pieces = [f"## {name}\n\n* one\n* {name}\n" for name in "abcd"]
    formats.read(document("\n".join(["# Glossary\n", *pieces])), Known(kept))
    edited = document("\n".join(["# Glossary\n", pieces[0], "## b\n\n* edited\n", *pieces[2:]]))
    fresh = formats.read(edited)
    monkeypatch.setattr(
        chunk_parser, "tokens", lambda text, env: (parsed.append(text.partition("\n")[0]), tokens(text, env))[1]
    )
    assert formats.read(edited, Known(kept)) == fresh
    assert parsed == ["## b", "## d"]  # what has changed, and the last, which nothing follows


def test_real_documents_read_the_same_cut_or_whole(shared: Path) -> None:
    """Every real glossary in Markdown has the same blocks, cut or whole."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(shared.rglob("*.md"))]
    reader = Reader(Known(), to_reference)
    assert len(texts) > 50
    assert [placed(reader.read(text).blocks()) for text in texts] == [
        placed(reader.read_whole(text).blocks()) for text in texts
    ]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The headings of the pieces that are parsed, one after another."""
    headings: list[str] = []
    tokens = chunk_parser.tokens

    def noting(text: str, env: Any) -> Any:
        headings.append(text.partition("\n")[0].removeprefix("## "))
        return tokens(text, env)

    monkeypatch.setattr(chunk_parser, "tokens", noting)
    return headings


def test_only_what_is_new_is_read(parsed: list[str]) -> None:
    """Of a document in which one entry changed, that entry alone is parsed."""
    entries = {"A": "- One thing.", "B": "- Another.", "C": "- A third."}
    known = Known()
    for change in ({}, {"B": "- Another, new."}, {"C": "- A new one."}):
        entries |= change
        text = "# Glossary\n\n" + "\n".join(f"## {name}\n\n{words}\n" for name, words in entries.items())
        formats.read(document(text), known)
    assert parsed == ["A", "B", "C", "B", "C"]


def test_a_footnote_is_read_by_those_who_refer_to_it(parsed: list[str]) -> None:
    """Of a document with footnotes, what refers to none is read once; the others once more when one changes."""
    known = Known()
    told = []
    for words, note in (("Another.", "Note."), ("Another, new.", "Note."), ("Another, new.", "Other note.")):
        parsed.clear()
        text = f"# Glossary\n\n## A\n\nOne[^1].\n\n## B\n\n- {words}\n\n## C\n\nThird.\n\n[^1]: {note}\n"
        entries = formats.read(document(text), known).entries
        assert entries[0].definition.html == f"<p>One<sup>[1]</sup>.</p><p>[1] {note}</p>"
        told.append("".join(parsed))
    assert told == ["ABCAC", "B", "CAC"]


def test_a_link_is_read_by_those_who_use_it(parsed: list[str]) -> None:
    """Of a document whose links are defined at its end, what uses none is read once; others when theirs change."""
    known = Known()
    told = []
    for address in ("/one", "/other"):
        parsed.clear()
        links = f"[x]: {address}\n[y z]: /y\n"
        text = f"# Glossary\n\n## A\n\n[X].\n\n## B\n\n[It][y\nz].\n\n## C\n\n- [Nothing].\n\n## D\n\n{links}"
        entries = formats.read(document(text), known).entries
        assert address in entries[0].definition.html
        assert "/y" in entries[1].definition.html
        told.append("".join(parsed))
    assert told == ["ABCDABD", "DAD"]


NAMES = ("A", "a", "B", "B=", "B; A", "C; B", "Section/ C", "D")
WORDINGS = ("one", "a thing of its own kind", "<p>See <a href='term:a'>A</a>.</p>")
RENAMED = {"0": {"A": "one"}, "1": {"D": "one"}}
MERGED = {"0": {"A": "one", "B": "two"}, "1": {"B; A": "two"}}
wordings = st.none() | st.dictionaries(st.sampled_from(NAMES), st.sampled_from(WORDINGS), max_size=6)
glossaries = st.lists(wordings, max_size=4).map(lambda said: {str(number): one for number, one in enumerate(said)})


@example([(RENAMED, {"D": "one"}, 1)])
@example([(MERGED, {"B; A": "two"}, 1)])
@settings(max_examples=50)
@given(st.lists(st.tuples(glossaries, wordings, st.integers(1, 9)), min_size=1, max_size=3))
def test_who_is_who_does_not_depend_on_what_is_known(times: list[Any]) -> None:
    """A source's chain is the one that reads all of its editions, whatever they and a person's word were before."""
    known = Known()
    for glossary, newest, line in times:
        rename = Rename(source="s", old="A", new="D", line=line)
        for last in (newest, {"D": "one"}, newest):
            of, editions = source("s", {**glossary, "9": last})
            word = Word(keys(editions, known), (rename,), ())
            whole = Chain("s", word)
            for edition in editions:
                whole.read(edition)
            (chain,) = chains.chains([("s", word, editions)], known)
            assert told(chain, of) == told(whole, of)


@settings(max_examples=200)
@given(glossaries, st.lists(st.sampled_from("ab"), min_size=4, max_size=4), st.booleans(), st.booleans())
def test_who_is_who_does_not_depend_on_identity(
    glossary: dict[str, Any], homes: list[str], is_renamed: bool, is_same: bool
) -> None:
    """Who goes on saying the very same object is who would be found to say the same in an object of its own."""
    of, editions = source("s", glossary)
    moved = tuple(_in_documents(edition, homes[int(edition.release) :]) for edition in editions)
    met: dict[Said, Said] = {}
    shared = tuple(
        replace(
            edition, entries=tuple(one._replace(said=met.setdefault(one.said, one.said)) for one in edition.entries)
        )
        for edition in moved
    )
    renames = (Rename(source="s", old="A", new="D"),) if is_renamed else ()
    verdicts = (Verdict(kind="same", names=("B", "D")),) if is_same else ()
    chains = [Chain("s", Word(keys(read, Known()), renames, verdicts)) for read in (moved, shared)]
    for chain, read in zip(chains, (moved, shared), strict=True):
        for edition in read:
            chain.read(edition)
    assert told(chains[0], of) == told(chains[1], of)


def _in_documents(edition: Edition, homes: list[str]) -> Edition:
    """An edition whose entries stand in several documents, by turns."""
    entries = tuple(elsewhere(one, name=homes[one.line % len(homes)]) for one in edition.entries)
    return replace(edition, entries=entries)


def told(chain: Chain, source: Source) -> Any:
    """All that a chain tells of its source."""
    lives = [(thread.key, lane, thread.ties, thread.homonyms) for thread, lane in chain.members(source)]
    return lives, chain.problems, list(chain.unused())


Both = st.tuples(glossaries, glossaries)
NOBODY = Resolver(())


@example([({"1": {"B": "one"}}, {}), ({"1": {"B": "one", "A": "a thing of its own kind"}}, {})])
@example(
    [
        ({"1": {"Y/ B": "one"}, "2": {"X/ B": "one"}}, {}),
        ({"1": {"Y/ B": "one"}, "2": {"X/ B": "one", "Y/ D": ""}}, {}),
    ]
)
@settings(max_examples=50)
@given(st.lists(Both, min_size=2, max_size=4))
def test_lives_and_addresses_do_not_depend_on_what_is_known(times: list[tuple[Any, Any]]) -> None:
    """Every term's life and addresses are those made anew, whatever it and all others were before."""
    known = Known()
    for one, other in times:
        read = (source("s", one), source("t", other))
        told = lives(read, known)
        assert told == lives(read, Known())
        assert permalinks(told, {}, known) == permalinks(told, {})
        assert resolve_all(told, NOBODY, known) == resolve_all(told, NOBODY)


def lives(read: tuple[tuple[Source, tuple[Edition, ...]], ...], known: Known) -> tuple[Life, ...]:
    terms = merge(read, known=known).terms
    editions = {source.id: said for source, said in read}
    return history.lives(terms, editions=editions, resolver=Resolver(terms, known), known=known)


def test_a_life_that_stays_the_same_is_not_told_again() -> None:
    """Where one definition changed, every other life that depends on nothing else is the same object."""
    known = Known()
    first, second = (
        lives((source("s", {"1": {"A": "one", "B": "two"}, "2": {"A": words, "B": "two"}}),), known)
        for words in ("one", "changed")
    )
    assert [life is before for life, before in zip(second, first, strict=True)] == [False, True]


def test_only_the_newest_edition_is_chained_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the newest edition changed, no other is read again; what other beginnings came to is forgotten."""
    chained: list[str] = []
    read = Chain.read

    def noting(chain: Chain, edition: Edition) -> None:
        chained.append(edition.release)
        read(chain, edition)

    monkeypatch.setattr(Chain, "read", noting)
    known = Known()
    for first, newest in (("a", "b"), ("a", "c"), ("b", "c"), ("a", "c")):
        merge([source("s", {"1": {"A": first}, "2": {"A": newest}})], known=known)
    assert chained == ["1", "2", "2", "1", "2", "1", "2"]
