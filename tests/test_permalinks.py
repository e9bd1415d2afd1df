"""The slugs of terms, and which wordings are frozen."""

from __future__ import annotations

from dataclasses import replace

from glossaries import lives_of, source
from sites import site_of

from sitegen.config.tables import Rename
from sitegen.permanence.breaches import breaches
from sitegen.permanence.ledger import Ledger, dump, grown, parse
from sitegen.permanence.permalinks import permalinks
from sitegen.site.site import Site


def test_terms_whose_names_give_one_slug_are_numbered_in_order_of_appearance():
    """The first term has the plain slug, whatever comes later."""
    lives = lives_of(source("s", {"1": {"C": "One."}, "2": {"(c)": "Two.", "C": "One."}}))
    given = permalinks(lives.values(), {}).slugs
    assert (given[lives["C"].key], given[lives["(c)"].key]) == ("c", "c-2")


def test_former_name_keeps_its_slug():
    """The old slug of a renamed term leads to it; a new term of that name gets another."""
    long = "A named pointer to the state of a volume."
    lives = lives_of(
        source(
            "s",
            {
                "1": {"a": long, "x": "X."},
                "2": {"b": long, "x": "X."},
                "3": {"b": long, "a": "New.", "x": "X."},
            },
        )
    )
    given = permalinks(lives.values(), {})
    assert given.slugs[lives["b"].key] == "b"
    assert given.former_slugs == {"a": lives["b"].key}
    assert given.slugs[lives["a"].key] == "a-2"


def site(
    releases: dict[str, dict[str, str]], *, ledger: Ledger, moving: str = ""
) -> tuple[Site, Ledger]:
    """Returns a site of one source, and the ledger after it. The release `moving` is unreleased."""
    read = source("s", releases)
    settled = tuple(
        replace(release, unreleased=release.name == moving) for release in read.releases
    )
    read = replace(read, releases=settled, undated="" in releases)
    made = site_of(read, ledger=ledger)
    promised = made.permanence.rows
    assert list(breaches(ledger, promised)) == []
    return made, grown(ledger, promised.values())


def test_what_is_not_in_a_release_yet_may_change():
    """Before its first release a glossary can be reworded, and its branch deleted: only terms are
    promised."""
    _, ledger = site(
        {"main": {"ATen": "A library.", "Kernel": "A loop."}}, ledger={}, moving="main"
    )
    assert {address for address in ledger if "main" in address} == set()
    assert "/term/aten/" in ledger
    made, ledger = site(
        {"1.0": {"ATen": "Another thing altogether.", "Kernel": "A loop."}}, ledger=ledger
    )
    assert sorted(made.slugs.values()) == ["aten", "kernel"]
    assert "/release/1.0/" in ledger


def test_a_branch_after_releases_is_not_frozen():
    """An unreleased change has no frozen page until it is released."""
    one, two = {"ATen": "A library."}, {"ATen": "A library for tensors."}
    made, ledger = site({"1.0": one, "main": two}, ledger={}, moving="main")
    assert [frozen.address for frozen in made.permanence.frozen] == ["/term/aten/1.0/"]
    made, _ = site(
        {"1.0": one, "1.1": two, "main": {"ATen": "All else."}}, ledger=ledger, moving="main"
    )
    assert [frozen.address for frozen in made.permanence.frozen] == [
        "/term/aten/1.0/",
        "/term/aten/1.1/",
    ]


def test_an_undated_document_may_be_edited():
    """A reworded term of a document without releases keeps its address."""
    _, ledger = site({"": {"ATen": "A library.", "Kernel": "A loop."}}, ledger={})
    made, _ = site({"": {"ATen": "A library.", "Kernel": "Quite another story."}}, ledger=ledger)
    assert sorted(made.slugs.values()) == ["aten", "kernel"]


POINTER = "A named pointer to the state of a volume."
FOLDER = "A folder with everything that it has below."


def published(releases: dict[str, dict[str, str]]) -> Ledger:
    """The ledger after a site of one source was published."""
    return site_of(source("s", releases)).permanence.rows


def test_term_is_known_by_most_of_its_wordings_where_its_first_release_is_gone():
    """A term that was called by a name elsewhere has no claim to the page of one that was renamed
    to it later."""
    releases = {
        "1": {"Head": POINTER, "Tree": FOLDER},
        "2": {"Branch": POINTER, "Tree": FOLDER},
        "3": {"Branch": POINTER, "Head": FOLDER},
        "4": {"Branch": POINTER, "Head": FOLDER},
    }
    ledger = published({name: releases[name] for name in "123"})
    assert ledger["/term/head-2/"].first == "3"
    lives = lives_of(source("s", {name: releases[name] for name in "124"}))
    given = permalinks(lives.values(), ledger)
    assert given.slugs[lives["Head"].key] == "head-2"
    assert given.former_slugs == {"head": lives["Branch"].key, "tree": lives["Head"].key}


def test_what_was_one_term_and_is_two_shares_its_addresses_in_the_same_way_again():
    """A page stays with the term that has most of its wordings; the next build decides the same."""
    key, others = {"Key": POINTER}, {"Map": FOLDER}
    releases = {
        "1": key,
        "2": key,
        "3": others,
        "4": key | others,
        "5": key | others,
        "6": key | others,
    }
    ledger = published(releases)
    del releases["1"]
    reported = (Rename(source="s", old="Key", new="Map", release="3"),)
    lives = lives_of(source("s", releases), renames=reported)
    given = permalinks(lives.values(), ledger)
    assert given.slugs[lives["Key"].key] == "key"
    made = site_of(source("s", releases), ledger=ledger, renames=reported)
    grown_ledger = grown(ledger, made.permanence.rows.values())
    again = site_of(source("s", releases), ledger=grown_ledger, renames=reported)
    assert again.permanence.owners == made.permanence.owners


def test_name_that_two_branches_gave_to_different_terms_stays_with_the_published_one():
    """Of two lines that git merged, the first is that of the main line; its page keeps its term."""
    renames = (Rename(source="s", old="Tree", new="Key", release="3"),)
    main = {"1": {"Tree": FOLDER}, "2": {"Tree": FOLDER}, "3": {"Key": FOLDER}}
    branch = {"1": main["1"], "1.5": {"Tree": FOLDER, "Key": POINTER}}
    of_main = dump(site_of(source("s", main), renames=renames).permanence.rows).splitlines()
    of_branch = dump(published(branch)).splitlines()
    ledger = parse(
        "\n".join([*of_main[:-1], *of_branch[1:-1], of_main[-1], of_branch[-1]]), "permalinks.json"
    )
    lives = lives_of(source("s", dict(sorted({**branch, **main}.items()))), renames=renames)
    given = permalinks(lives.values(), ledger)
    assert given.slugs[lives["Key"].key] == "key"
    assert lives["Key"].key == "s:tree"
