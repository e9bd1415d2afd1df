"""The promises of a build: all its pages, with their meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from glossaries import source
from sites import pages_of, site_of

from sitegen.model import Prose
from sitegen.permanence.breaches import breaches
from sitegen.site.site import Site
from sitegen.text.prose import from_html
from sitegen.text.words import digest


def site() -> Site:
    """Two sources, one undated, with sections, a rename, a synonym and a removal."""
    long = "A named pointer to the state of a volume."
    dated = source(
        "s",
        {
            "1": {
                "Disks/ Snapshot": long,
                "Disks/ Volume": "A disk.",
                "Loop": "Code that runs again.",
            },
            "2": {
                "Disks/ Image": long,
                "Disks/ Volume": "A disk that is not there.",
                "Loops": "See Loop.",
            },
        },
    )
    undated = source("t", {"": {"Volume": "How loud it is."}})
    return site_of(dated, replace(undated, undated=True), base_url="https://example.org/words/")


def test_every_page_is_promised():
    """Each page has a row, and each row that is neither data nor the site itself is a page."""
    promised = {
        address
        for address, row in site().permanence.rows.items()
        if row.kind not in ("data", "site")
    }
    assert promised == {f"/{address}" for address in pages_of(site())}


def test_rows_say_what_addresses_stand_for():
    """A term's row has its name, source and first release, a wording's its words, the site's its
    place."""
    there = site().permanence.rows
    assert there["/term/snapshot/"].meaning == ("term", "Snapshot", "s", "1")
    assert there["/term/snapshot/"].successor == "/term/image/"
    assert there["/term/image/"].meaning == ("term", "Image", "s", "2")
    assert there["/term/volume/2/"].meaning[1:3] == ("s", "2")
    assert there["/term/volume/1/"].words != there["/term/volume/2/"].words
    assert dict(there["/term/volume/"].fragments) == {"r1": "s 1", "r2": "s 2"}
    assert there["https://example.org/words/"].kind == "site"


@pytest.mark.parametrize("first", ["A disk.", "See Zed."])
def test_terms_that_lead_to_each_other(first: str):
    """Terms that refer to each other have their own rows: no redirect leads back."""
    wordings = {"1": {"Foo": first, "Zed": "See Foo."}, "2": {"Foo": "See Zed.", "Zed": "See Foo."}}
    published = site_of(source("s", {"1": wordings["1"]})).permanence.rows
    there = site_of(source("s", wordings), ledger=published)
    assert not [*breaches(published, there.permanence.rows)]
    assert {
        there.permanence.rows[address].successor for address in ("/term/foo/", "/term/zed/")
    } == {""}
    assert there.defining_term("s:foo").key == "s:foo"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A tensor library.</p>", "a7c65941fd8f"),
        ("<p>Never <code>-1</code>, in <em>Straße</em> and “elsewhere”.</p>", "32ecf5fc969f"),
        ("<p>Ein Maß.</p><ul><li>One</li><li>1.5 &lt; 2</li></ul>", "5e11989d21f1"),
        ("<p></p>", "e3b0c44298fc"),
    ],
)
def test_digests_never_change(html: str, expected: str):
    """The digest of a text never changes: every ledger identifies frozen pages by it."""
    assert digest(from_html(html)) == expected


def test_digest_is_of_words_and_not_of_markup():
    """The same words in other markup have one digest; other words or code have another."""
    plain, dressed = (
        from_html("<p>A tensor library.</p>"),
        from_html("<p>a <b>Tensor</b> library</p>"),
    )
    assert (
        digest(plain)
        == digest(dressed)
        != digest(from_html("<p>A tensor <code>library</code>.</p>"))
    )
    assert digest(plain) != digest(Prose(html="", text="A library."))
