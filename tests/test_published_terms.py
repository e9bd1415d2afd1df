"""A glossary.json of somebody else, with anything in it: it is read, or refused when it is loaded."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from glossaries import source
from sites import site_of
from soaking import seeds

from sitegen.api import Glossary, SitegenError, Term
from sitegen.config.tables import Rename
from sitegen.integrations.loading import parse
from sitegen.integrations.term_links import linked
from sitegen.site.exports import data

RELEASES = {
    "1.0": {
        "leaf": "The end of a branch.",
        "node (N)": "A place where branches meet, or a leaf.",
        "bough": "A large branch.",
        "stem; trunk": "Carries all branches.",
    },
    "2.0": {
        "leaf": "The green end of a branch.",
        "node (N)": "A place where branches meet, or a leaf.",
        "limb": "A large branch.",
        "stem": "Deprecated. Use axis instead.",
    },
    "3.0": {
        "leaf": "The green end of a limb.",
        "limb": "A large branch.",
        "stem": "Deprecated. Use axis instead.",
        "axis": "Carries all limbs.",
        "blade": "Same as leaf.",
    },
}
RENAMES = (Rename(source="trees", old="bough", new="limb", release="2.0"),)
SITE = site_of(source("trees", RELEASES), renames=RENAMES, base_url="https://example.org/trees/")
[FILE] = data.files(SITE)
VALUES = [
    *(None, True, 0, -1, 1.5, float("nan"), 10**30),
    *("", " ", "\0", "\ud800", "\udcff", "x" * 10_000, "2.0", "\n\n# x", "__proto__"),
    *("javascript:alert(1)", "../../etc/passwd", "//example.org/", "https://[::1/"),
    *([], {}, [None], ["a", 1], {"a": 1}, [[]], [{}]),
]
"""What takes the place of a value."""
TEXT = (
    "A leaf, the boughs and a [stem](https://example.org/trees/term/stem/1.0/): https://[/term/a/"
)

Path = tuple[str | int, ...]


def content() -> Any:
    """Returns the content of a glossary.json that is as it should be."""
    return json.loads(FILE.content)


def paths(value: Any, path: Path = ()) -> list[Path]:
    """Returns the path of each value in a document."""
    parts = []
    if isinstance(value, dict):
        parts = [*value.items()]
    elif isinstance(value, list):
        parts = [*enumerate(value)]
    found = [path] if path else []
    for key, part in parts:
        found += paths(part, (*path, key))
    return found


def replaced(path: Path, value: object) -> Any:
    """Returns the content with another value at a path; without the value if that is `...`."""
    changed = content()
    part = changed
    for key in path[:-1]:
        part = part[key]
    if value is ...:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return changed


def use(glossary: Glossary) -> None:
    """Reads all that the interface, the commands and the server for assistants read."""
    # The SDK of this server takes a second to load, so only these tests do it.
    from sitegen.integrations.assistant_server import Tools

    tools = Tools(glossary)
    texts = [repr(glossary)]
    texts.append(str(glossary.changes("2020-01-01")))
    for name in ("leaf", "Leaves", "bough", "limbs", "stem", "trunk", "N", "axis", "nowhere", ""):
        texts += [tools.define(name), tools.define(name, "1.0"), tools.history(name)]
        if match := glossary.find(name):
            texts.append(read(match.term))
        for release in ("", "1.0"):
            with suppress(SitegenError):
                linked(glossary, name, release=release)
    for form in ("markdown", "rst", "text"):
        glossary.check(TEXT, form)
    assert "".join(texts)


def read(term: Term) -> str:
    """Returns every value of a term as text."""
    names = [name for name in dir(Term) if not name.startswith("_")]
    values = [getattr(term, name) for name in names]
    values += [change.date for change in term.history]
    values += [wording.url for wording in term.wordings]
    return " ".join(map(str, values))


def tried(document: object) -> str:
    """Returns what is wrong with a document; empty if it can be used, whole and as of a release."""
    try:
        glossary = parse(json.dumps(document).encode(), "g.json")
    except SitegenError as error:
        return str(error)
    use(glossary)
    if "1.0" in glossary.releases:
        use(glossary.as_of("1.0"))
    return ""


@pytest.mark.soak
def test_any_value_is_read_or_refused() -> None:
    """A document with another value at any place is usable, or an error of one line when it is
    loaded."""
    places = paths(content())
    for seed in seeds(test=300, soak=3000):
        chance = random.Random(seed)
        place = chance.choice(places)
        value = chance.choice([*VALUES, ...])
        message = tried(replaced(place, value))
        assert message == "" or message.startswith("g.json: "), (place, value)
        assert "\n" not in message


def test_the_document_itself_is_usable() -> None:
    """A glossary.json as a build writes it is usable."""
    assert tried(content()) == ""


FAULTS = [
    (("title",), None, "title is no text"),
    (("sources", 0, "releases"), None, "sources[0].releases is no list"),
    (
        ("sources", 0, "releases", 1, "unreleased"),
        1,
        "sources[0].releases[1].unreleased is neither",
    ),
    (("terms",), {}, "terms is no list"),
    (("terms", 2), [], "terms[2] is no object"),
    (("terms", 2, "name"), 5, "terms[2].name is no text"),
    (("terms", 2, "names"), [], "terms[2].names is an empty list"),
    (("terms", 2, "names", 0, "status"), "best", "terms[2].names[0].status is no value that"),
    (("terms", 2, "definition"), "words", "terms[2].definition is no object"),
    (("terms", 2, "definition", "text"), 1.5, "terms[2].definition.text is no text"),
    (("terms", 2, "url"), ["a"], "terms[2].url is no text"),
    (
        ("terms", 2, "history", 0, "citation", "line"),
        "3",
        "terms[2].history[0].citation.line is no",
    ),
    (("terms", 2, "wordings", 0, "since"), ..., "terms[2].wordings[0].since is missing"),
]


@pytest.mark.parametrize(("place", "value", "found"), FAULTS)
def test_an_error_names_the_place(place: Path, value: object, found: str) -> None:
    """The error of a value of another type has its path in the document, and what is wrong."""
    message = tried(replaced(place, value))
    assert message.startswith(f"g.json: is no glossary.json that this version reads ({found}")


def test_unknown_keys_are_ignored() -> None:
    """A key that a newer version may write is no error."""
    for place in ((), ("sources", 0), ("terms", 0), ("terms", 0, "names", 0)):
        assert tried(replaced((*place, "newer"), {"a": 1})) == ""


def test_what_is_mentioned_and_not_there_leads_nowhere() -> None:
    """A slug or a release that the document does not define is as if it were not mentioned."""
    changed = replaced(("terms", 0, "replaced_by"), "nowhere")
    changed["terms"][0]["wordings"][0]["source"] = "nowhere"
    glossary = parse(json.dumps(changed).encode(), "g.json")
    first = glossary.terms[0]
    assert (first.instead, first.at("1.0"), glossary.by_slug.get("nowhere")) == (None, None, None)


def test_synonyms_in_a_circle_have_the_definitions_of_their_pages() -> None:
    """The definition of a term among synonyms in a circle is the one that its page shows."""
    words = {"leaf": "Same as frond.", "frond": "Same as blade.", "blade": "Same as frond."}
    site = site_of(source("trees", {"1.0": words}))
    [file] = data.files(site)
    glossary = parse(file.content, "g.json")
    for life in site.lives:
        shown = site.defining_term(life.key)
        published = glossary.by_slug[site.slugs[life.key]].defining_term
        assert published.slug == site.slugs[shown.key]
