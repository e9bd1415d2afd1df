"""The rules of permanence, one by one: what breaks a promise, and which declaration answers for
what."""

from __future__ import annotations

from collections.abc import Mapping

from glossaries import with_documents

from sitegen.config.parsing import parse
from sitegen.model import Document, ProblemKind, Release, Source
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import Ledger, dump
from sitegen.permanence.ledger import parse as parse_ledger
from sitegen.pipeline.assembly import assemble, remedies
from sitegen.site.site import Site
from sitegen.sources.reading import Glossaries

Glossary = Mapping[str, Mapping[str, str]]
"""Releases with their names and words."""

CORE, LEAF, RING, TREE = (
    "What runs on a device.",
    "Where all ends.",
    "It has no end at all.",
    "It grows in a wood.",
)
ONE: Glossary = {
    "1": {"Kernel": CORE, "Leaf": LEAF},
    "2": {"Kernel": f"{CORE} Twice.", "Leaf": LEAF, "Ring": RING},
    "3": {"Core": f"{CORE} Twice.", "Leaf": LEAF, "Ring": RING},
}


def built(
    sources: Mapping[str, Glossary], ledger: Ledger, *tables: str, is_open: bool = False
) -> Site:
    """Returns the site of some sources and tables of site.toml; `is_open` is true if the newest
    folders are open."""
    toml = "".join(f'[[source]]\nid = "{id}"\nfolder = "{id}"\n' for id in sources)
    read = [_as_source(id, glossary, is_open=is_open) for id, glossary in sources.items()]
    config = parse("\n".join((toml, *tables)), path="site.toml")
    return assemble(config, Glossaries(sources=tuple(read)), ledger)


def _markdown(terms: Mapping[str, str]) -> str:
    return "# Glossary\n\n" + "".join(f"## {name}\n\n{words}\n\n" for name, words in terms.items())


def published(
    sources: Mapping[str, Glossary],
    *tables: str,
    ledger: Ledger | None = None,
    is_open: bool = False,
) -> Ledger:
    """Returns the ledger after a build."""
    site = built(sources, ledger or {}, *tables, is_open=is_open)
    assert broken(site) == []
    return parse_ledger(dump(site.permanence.added_to(ledger or {})), "permalinks.json")


def broken(site: Site) -> list[str]:
    return [breach.address for breach in site.permanence.broken]


def changed(glossary: Glossary, release: str, **terms: str) -> Glossary:
    """Returns a glossary with other terms in a release; without those whose words are empty."""
    of_release = {**glossary[release], **terms}
    return {**glossary, release: {name: words for name, words in of_release.items() if words}}


def without(glossary: Glossary, *releases: str) -> Glossary:
    return {name: terms for name, terms in glossary.items() if name not in releases}


def retired(**keys: str) -> str:
    return "[[retired]]\nreason = 'told'\n" + "".join(
        f"{key} = '{value}'\n" for key, value in keys.items()
    )


def renamed(old: str, new: str, source: str = "s") -> str:
    return f'[[rename]]\nsource = "{source}"\nfrom = "{old}"\nto = "{new}"\n'


def corrected(site: Site, release: str, term: str, *, words: str = "") -> str:
    """Returns the table for the words that a term of source s has in a release."""
    (source,) = [one for one in site.sources if one.id == "s"]
    (read,) = [one for one in source.releases if one.name == release]
    digest = words or words_of(read, [term])
    return (
        f'[[corrected]]\nsource = "s"\nrelease = "{release}"\nterm = "{term}"\nwords = '
        f'"{digest}"\nreason = "told"\n'
    )


def test_missing_term_is_a_breach() -> None:
    """A term that was deleted from all releases breaks its page, its frozen page, and nothing
    else."""
    gone = {
        release: {name: words for name, words in terms.items() if name != "Ring"}
        for release, terms in ONE.items()
    }
    assert broken(built({"s": gone}, published({"s": ONE}))) == ["/term/ring/", "/term/ring/2/"]


def test_page_that_means_another_term_is_a_breach() -> None:
    """The address of a name cannot go to another term; a frozen page shows its words under any
    name."""
    swapped = {"1": {"Kernel": LEAF, "Leaf": CORE}}
    site = built({"s": swapped}, published({"s": {"1": {"Kernel": CORE, "Leaf": LEAF}}}))
    assert broken(site) == ["/term/kernel/#r1", "/term/leaf/#r1"]
    assert {one.address: one.entry.name for one in site.permanence.frozen} == {
        "/term/kernel/1/": "Leaf",
        "/term/leaf/1/": "Kernel",
    }


def test_page_of_a_name_that_no_release_has_any_more_is_a_breach() -> None:
    """The page of a former name means its term at the releases that had the name."""
    glossary: Glossary = {"1": {"Leaf": LEAF, "Ring": RING}, "2": {"Blade": LEAF, "Ring": RING}}
    ledger = published({"s": glossary}, renamed("Leaf", "Blade") + 'release = "2"\n')
    assert "/term/leaf/" in broken(built({"s": without(glossary, "1")}, ledger))


def test_other_words_in_a_release_without_a_frozen_page_are_a_breach() -> None:
    """Words of any release of a run are promised, not only those of its first."""
    assert broken(built({"s": changed(ONE, "3", Leaf="Others.")}, published({"s": ONE}))) == [
        "/term/leaf/#r3"
    ]


def test_other_words_on_a_frozen_page_are_a_breach() -> None:
    """A frozen page shows the words that it was published with."""
    found = broken(built({"s": changed(ONE, "1", Leaf="Others.")}, published({"s": ONE})))
    assert "/term/leaf/1/" in found


def test_another_name_in_an_old_release_is_a_breach() -> None:
    """A name that was changed in one old release, or from one on, with the same words, is
    refused."""
    same: Glossary = {release: {"Kernel": CORE, "Leaf": LEAF} for release in "123"}
    renamed_release = {"Bean": CORE, "Leaf": LEAF}
    once = broken(built({"s": {**same, "2": renamed_release}}, published({"s": same})))
    assert once == ["/term/kernel/#r2"]
    from_two_on = {**same, "2": renamed_release, "3": renamed_release}
    assert broken(built({"s": from_two_on}, published({"s": same}))) == [
        "/term/kernel/#r2",
        "/term/kernel/#r3",
    ]


def test_missing_release_is_a_breach_of_all_that_it_had() -> None:
    """A withdrawn release breaks its page, comparisons, ids on pages of terms, and frozen pages."""
    found = broken(built({"s": without(ONE, "2")}, published({"s": ONE})))
    assert {"/release/2/", "/compare/1/2/", "/term/leaf/#r2", "/term/kernel/2/"} <= {*found}


def test_retired_answers_for_the_release_that_it_names_alone() -> None:
    """A [[retired]] of one release excuses nothing of another that is missing too."""
    ledger, left = published({"s": ONE}), {"s": without(ONE, "1", "2")}
    found = broken(built(left, ledger, retired(source="s", release="2")))
    assert "/release/1/" in found and "/release/2/" not in found
    assert (
        broken(
            built(left, ledger, retired(source="s", release="2"), retired(source="s", release="1"))
        )
        == []
    )


def test_retired_does_not_cover_a_release_that_is_read() -> None:
    """A [[retired]] of a release that is still there covers neither a deleted term nor edited
    words."""
    ledger = published({"s": ONE})
    for edited in (changed(ONE, "2", Ring=""), changed(ONE, "2", Ring="Others.")):
        assert broken(built({"s": edited}, ledger)) == broken(
            built({"s": edited}, ledger, retired(source="s", release="2"))
        )


def test_retired_release_does_not_cover_a_term_that_another_release_lost() -> None:
    """A [[retired]] of one release excuses no term that was deleted from another."""
    left = without(changed(ONE, "3", Ring=""), "2")
    found = broken(built({"s": left}, published({"s": ONE}), retired(source="s", release="2")))
    assert "/term/ring/" in found


def test_retired_source_does_not_cover_another_source() -> None:
    """A [[retired]] of a source excuses nothing of another."""
    sources = {"s": ONE, "t": {"1": {"Tree": TREE, "Bush": RING}}}
    found = broken(
        built({"s": changed(ONE, "3", Leaf="Others.")}, published(sources), retired(source="t"))
    )
    assert found == ["/term/leaf/#r3"]


def test_retired_address_covers_no_words_of_another_page() -> None:
    """A [[retired]] of an address answers for the pages below it alone."""
    gone = {
        release: {name: words for name, words in terms.items() if name != "Ring"}
        for release, terms in ONE.items()
    }
    site = built(
        {"s": changed(gone, "1", Leaf="Others.")},
        published({"s": ONE}),
        retired(address="/term/ring/"),
    )
    assert broken(site) == ["/term/leaf/#r1", "/term/leaf/1/"]


def test_retired_address_keeps_a_page_with_the_reason() -> None:
    """What is retired keeps a page with the reason, and stays in the ledger."""
    ledger = published({"s": ONE})
    gone = {
        release: {name: words for name, words in terms.items() if name != "Ring"}
        for release, terms in ONE.items()
    }
    site = built({"s": gone}, ledger, retired(address="/term/ring/"))
    assert [(one.row.address, one.reason) for one in site.permanence.kept] == [
        ("/term/ring/", "told"),
        ("/term/ring/2/", "told"),
    ]
    assert site.permanence.added_to(ledger).keys() == ledger.keys()


def test_retired_release_leads_to_the_term_that_has_the_words() -> None:
    """A withdrawn newest release leads the page of its name to the page of the term, which lives
    on."""
    glossary = {"1": {"Kernel": CORE, "Leaf": LEAF}, "2": {"Core": CORE, "Leaf": LEAF}}
    site = built(
        {"s": without(glossary, "2")}, published({"s": glossary}), retired(source="s", release="2")
    )
    [kernel] = [life.key for life in site.lives if life.name == "Kernel"]
    assert [one.terms for one in site.permanence.kept if one.row.address == "/term/core/"] == [
        (kernel,)
    ]


def test_id_of_a_withdrawn_release_leads_to_the_term_that_has_its_words() -> None:
    """If a page goes on with another term, the id of a withdrawn release leads to the one that has
    its words."""
    both = {"s": {"1": {"Node": CORE}}, "t": {"1": {"Node": LEAF}, "2": {"Node": LEAF}}}
    left = {"s": both["s"], "t": {"2": {"Item": LEAF}}}
    site = built(
        left, published(both), renamed("Node", "Item", "t"), retired(source="t", release="1")
    )
    [item] = [life.key for life in site.lives if life.name == "Item"]
    assert broken(site) == []
    assert site.permanence.moved["node"] == {"s-t~1": item, "r2": item}


def test_id_of_a_withdrawn_release_leads_to_the_page_where_its_words_are() -> None:
    """If a name had other words in a withdrawn release, its id leads to the term that has these
    words now."""
    glossary = {"1": {"Driver": CORE}, "2": {"Driver": RING}, "3": {"Driver": LEAF, "Gadget": RING}}
    left = {"s": without(glossary, "2")}
    site = built(left, published({"s": glossary}), retired(source="s", release="2"))
    [gadget] = [life.key for life in site.lives if life.name == "Gadget"]
    assert broken(site) == []
    assert site.permanence.moved["driver"] == {"r2": gadget}


def test_words_that_another_term_has_now_are_one_link_away() -> None:
    """A name that is corrected in all releases of one of two sources leads from its old anchors to
    the new page."""
    both = {"s": {"1": {"X": CORE}}, "t": {"1": {"X": LEAF}, "2": {"X": LEAF}}}
    now = {"s": both["s"], "t": {"1": {"Y": LEAF}, "2": {"Y": LEAF}}}
    site = built(now, published(both), renamed("X", "Y", "t"))
    [y] = [life.key for life in site.lives if life.name == "Y"]
    assert broken(site) == []
    assert site.permanence.moved["x"] == {"s-t~1": y, "r2": y}


def test_corrected_needs_the_digest_of_the_words_that_are_there() -> None:
    """A [[corrected]] accepts exactly the words that it was written for."""
    ledger, edited = published({"s": ONE}), {"s": changed(ONE, "1", Leaf="Others.")}
    site = built(edited, ledger)
    assert broken(built(edited, ledger, corrected(site, "1", "Leaf"))) == []
    assert broken(built(edited, ledger, corrected(site, "1", "Leaf", words="0" * 12))) == broken(
        site
    )


def test_corrected_answers_for_its_terms_alone() -> None:
    """A [[corrected]] of one term does not accept other words of another term of the release."""
    ledger, edited = (
        published({"s": ONE}),
        {"s": changed(ONE, "1", Leaf="Others.", Kernel="More others.")},
    )
    found = broken(built(edited, ledger, corrected(built(edited, ledger), "1", "Leaf")))
    assert "/term/kernel/1/" in found and "/term/leaf/1/" not in found


def test_corrected_does_not_answer_for_words_that_are_still_there() -> None:
    """A [[corrected]] of words that a page shows instead does not excuse that those promised have
    left it."""
    event = '[[rename]]\nsource = "s"\nfrom = "Leaf"\nto = "Ring"\nrelease = "2"\n'
    glossary: Glossary = {"1": {"Leaf": LEAF, "Ring": RING}, "2": {"Ring": TREE}}
    edited = changed(glossary, "1", Leaf="Others.")
    ledger = published({"s": glossary}, event)
    tables = (event, corrected(built({"s": edited}, ledger, event), "1", "Leaf"))
    ledger = published({"s": edited}, *tables, ledger=ledger)
    now = {"s": {**edited, "1": {"Leaf": "Others.", "Hoop": RING}}}
    assert "/term/ring/#r1" in broken(built(now, ledger, *tables))
    assert broken(built(now, ledger, *tables, renamed("Ring", "Hoop"))) == []


def test_corrected_answers_for_its_release_alone() -> None:
    """A [[corrected]] of one release does not accept the same words in another one."""
    edited = {"s": changed(changed(ONE, "1", Leaf="Others."), "3", Leaf="Others.")}
    ledger = published({"s": ONE})
    assert broken(built(edited, ledger, corrected(built(edited, ledger), "1", "Leaf"))) == [
        "/term/leaf/#r3"
    ]


def test_corrected_pages_say_so_and_no_others() -> None:
    """The pages that show corrected words have the reason, and only these."""
    ledger, edited = published({"s": ONE}), {"s": changed(ONE, "1", Leaf="Others.")}
    site = built(edited, ledger, corrected(built(edited, ledger), "1", "Leaf"))
    assert {address for address, several in site.permanence.corrected.items() if several} == {
        "/term/leaf/",
        "/term/leaf/1/",
    }


def test_frozen_page_that_a_correction_creates_says_so_at_once() -> None:
    """The page of a release in the middle of a wording exists because of its correction, and has
    the reason."""
    same = {release: {"Leaf": LEAF} for release in "123"}
    ledger, edited = published({"s": same}), {"s": changed(same, "2", Leaf="Others.")}
    table = corrected(built(edited, ledger), "2", "Leaf")
    told = {
        address
        for address, several in built(edited, ledger, table).permanence.corrected.items()
        if several
    }
    assert "/term/leaf/2/" not in ledger and told == {"/term/leaf/", "/term/leaf/2/"}
    again = built(edited, published(edited, table, ledger=ledger), table).permanence.corrected
    assert {address for address, several in again.items() if several} == told


def test_correction_stays_accepted_after_the_name_is_corrected() -> None:
    """A [[corrected]] still answers once a [[rename]] has corrected the name that it names."""
    ledger, edited = published({"s": ONE}), changed(ONE, "1", Leaf="Others.")
    table = corrected(built({"s": edited}, ledger), "1", "Leaf")
    now = {
        release: {("Blade" if name == "Leaf" else name): words for name, words in terms.items()}
        for release, terms in edited.items()
    }
    assert broken(built({"s": now}, ledger, table, renamed("Leaf", "Blade"))) == []


def test_corrected_words_are_promised_from_then_on() -> None:
    """The ledger takes corrected words as its own: the first ones are refused later, and a
    [[rename]] finds them."""
    edited, again = changed(ONE, "1", Leaf="Others."), changed(ONE, "1", Leaf="Yet others.")
    ledger = published({"s": ONE})
    for glossary in (edited, again):
        table = corrected(built({"s": glossary}, ledger), "1", "Leaf")
        ledger = published({"s": glossary}, table, ledger=ledger)
    assert broken(built({"s": again}, ledger)) == []
    assert "/term/leaf/1/" in broken(built({"s": ONE}, ledger))
    now = changed(again, "1", Leaf="", Blade="Yet others.")
    assert broken(built({"s": now}, ledger, table, renamed("Leaf", "Blade"))) == []


def test_frozen_page_of_a_withdrawn_release_leads_to_its_corrected_words() -> None:
    """If a release is withdrawn after a correction, its frozen pages lead to the term with the
    corrected words."""
    edited = changed(changed(ONE, "1", Leaf="Others."), "2", Tree="Others.")
    table = corrected(built({"s": edited}, published({"s": ONE})), "1", "Leaf")
    ledger = published({"s": edited}, table, ledger=published({"s": ONE}))
    site = built({"s": without(edited, "1")}, ledger, retired(release="1"))
    assert broken(site) == []
    kept = {one.row.address: one.terms for one in site.permanence.kept}
    assert [site.by_key[key].name for key in kept["/term/leaf/1/"]] == ["Tree"]


def test_page_of_a_retired_term_leads_to_the_term_that_has_any_of_its_words() -> None:
    """A page whose first words are gone leads to the term that still has later ones of its
    words."""
    glossary: Glossary = {
        "1": {"Kernel": CORE},
        "2": {"Kernel": RING},
        "3": {"Kernel": TREE},
        "4": {"Leaf": TREE},
    }
    ledger = published(
        {"s": glossary}, '[[rename]]\nsource = "s"\nfrom = "Kernel"\nto = "Leaf"\nrelease = "4"\n'
    )
    site = built(
        {"s": without(glossary, "1", "2", "3")}, ledger, *(retired(release=one) for one in "123")
    )
    assert broken(site) == []
    kept = {one.row.address: one.terms for one in site.permanence.kept}
    assert [site.by_key[key].name for key in kept["/term/kernel/"]] == ["Leaf"]


def test_name_that_another_term_takes_over_in_an_old_release_was_corrected() -> None:
    """Names that change hands in one release, each by a [[rename]], leave the words at their
    addresses."""
    ledger = published({"s": {"1": {"Leaf": LEAF, "Ring": RING}}})
    site = built(
        {"s": {"1": {"Blade": LEAF, "Leaf": RING}}},
        ledger,
        renamed("Leaf", "Blade"),
        renamed("Ring", "Leaf"),
    )
    assert broken(site) == []
    assert {slug: site.by_key[key].name for slug, key in site.permanence.owners.items()} == {
        "leaf": "Blade",
        "ring": "Leaf",
    }


def test_name_that_is_corrected_again_is_found_from_any_of_its_names() -> None:
    """After a second correction, pages that were published with the first corrected name have their
    words too."""
    first: Glossary = {"1": {"Leaf": LEAF}, "2": {"Tree": f"{LEAF} Twice."}}
    second: Glossary = {**first, "1": {"Blade": LEAF}}
    event = '[[rename]]\nsource = "s"\nfrom = "Leaf"\nto = "Tree"\nrelease = "2"\n'
    ledger = published({"s": without(first, "2")})
    ledger = published({"s": second}, event, renamed("Leaf", "Blade"), ledger=ledger)
    third = {**first, "1": {"Frond": LEAF}}
    tables = (event, renamed("Leaf", "Blade"), renamed("Leaf", "Frond"))
    assert broken(built({"s": third}, ledger, *tables)) == []
    ledger = published({"s": third}, *tables, ledger=ledger)
    edited = {"s": changed(third, "1", Frond="Others.")}
    assert (
        broken(
            built(edited, ledger, *tables, corrected(built(edited, ledger, *tables), "1", "Frond"))
        )
        == []
    )


def test_frozen_page_of_an_open_release_follows_its_name_to_another_term() -> None:
    """A frozen page of an open folder stays with its name when the page of the term goes to another
    one."""
    glossary: Glossary = {"1": {"Leaf": LEAF}, "2": {"Leaf": RING}}
    ledger = published({"s": glossary}, is_open=True)
    corrected_name = {**glossary, "1": {"Blade": LEAF}}
    ledger = published({"s": corrected_name}, renamed("Leaf", "Blade"), ledger=ledger, is_open=True)
    edited = changed(corrected_name, "2", Leaf=TREE)
    site = built({"s": edited}, ledger, renamed("Leaf", "Blade"), is_open=True)
    assert broken(site) == []
    assert site.permanence.owners["leaf"] != site.permanence.owners["leaf-2"]
    assert {one.address: one.entry.definition.text for one in site.permanence.frozen}[
        "/term/leaf/2/"
    ] == TREE


def test_term_that_moves_to_another_page_of_an_open_release_stays_there() -> None:
    """What an open folder had last is promised, names too, once it is closed."""
    glossary: Glossary = {"1": {"Leaf": LEAF, "Ring": RING}, "2": {"Blade": LEAF, "Ring": RING}}
    event = '[[rename]]\nsource = "s"\nfrom = "Leaf"\nto = "Blade"\nrelease = "2"\n'
    ledger = published({"s": glossary}, event, is_open=True)
    edited = changed(glossary, "2", Blade="", Frond=f"{LEAF} Twice.")
    tables = (event.replace("Blade", "Frond"), retired(address="/term/blade/"))
    ledger = published({"s": edited}, *tables, ledger=ledger, is_open=True)
    assert broken(built({"s": edited}, ledger, *tables)) == []


def test_rename_corrects_no_name_that_its_release_still_has() -> None:
    """A rename without release excuses nothing where the old name is still there, beside the new
    one."""
    glossary = changed(ONE, "1", Core=RING)
    ledger, edited = published({"s": glossary}), {"s": changed(glossary, "1", Kernel="Others.")}
    assert broken(built({"s": glossary}, ledger, renamed("Kernel", "Core"))) == []
    assert (
        broken(built(edited, ledger, renamed("Kernel", "Core")))
        == broken(built(edited, ledger))
        != []
    )


def test_rename_without_release_keeps_the_address_of_the_old_name() -> None:
    """A name that was corrected in all releases keeps its address, and gets no second one."""
    now = {
        release: {("Blade" if name == "Leaf" else name): words for name, words in terms.items()}
        for release, terms in ONE.items()
    }
    site = built({"s": now}, published({"s": ONE}), renamed("Leaf", "Blade"))
    assert broken(site) == []
    assert "/term/blade/" not in site.permanence.rows


def test_formerly_keeps_every_address_of_a_source() -> None:
    """A source with another id, which `formerly` says, breaks nothing, and its words are still
    compared."""
    ledger = published({"s": ONE})
    toml = '[[source]]\nid = "t"\nfolder = "t"\nformerly = "s"\n'
    for glossary, expected in ((ONE, []), (changed(ONE, "3", Leaf="Others."), ["/term/leaf/#r3"])):
        read = Glossaries(sources=(_as_source("t", glossary),))
        assert broken(assemble(parse(toml, path="site.toml"), read, ledger)) == expected


def _as_source(id: str, glossary: Glossary, *, is_open: bool = False) -> Source:
    documents = [
        Document(
            source=id,
            release=release,
            path=f"{id}/{release}/a.md",
            name="a.md",
            text=_markdown(terms),
        )
        for release, terms in glossary.items()
    ]
    newest = [*glossary][-1]
    releases = tuple(Release(name=name, open=is_open and name == newest) for name in glossary)
    return with_documents(Source(id=id, title=id, releases=releases), documents)


def corrected_once(glossary: Glossary) -> tuple[Glossary, str, Ledger]:
    """Returns a glossary whose "Leaf" was corrected to "Blade" in its first release alone, the
    table, the ledger."""
    ledger = published({"s": glossary})
    now = {**glossary, "1": {"Blade": LEAF}}
    table = corrected(built({"s": now}, ledger), "1", "Blade")
    return now, table, published({"s": now}, table, ledger=ledger)


def test_frozen_page_stays_with_its_words_under_whatever_name_their_release_has_them() -> None:
    """If the page of a name goes to another term, a frozen page below it shows the entry with its
    words."""
    glossary, table, ledger = corrected_once(
        {"1": {"Leaf": LEAF}, "2": {"Leaf": LEAF}, "3": {"Leaf": RING}}
    )
    site = built({"s": without(glossary, "2")}, ledger, table, retired(release="2"))
    [frozen] = [one for one in site.permanence.frozen if one.address == "/term/leaf/1/"]
    assert broken(site) == []
    assert (frozen.entry.name, site.by_key[site.permanence.owners["leaf"]].name) == (
        "Blade",
        "Leaf",
    )


def test_page_whose_name_only_withdrawn_releases_had_stays_with_its_words() -> None:
    """A name that is withdrawn with its last release leaves its page to the term that has its words
    in others."""
    glossary, table, ledger = corrected_once({"1": {"Leaf": LEAF}, "2": {"Leaf": LEAF}})
    site = built({"s": without(glossary, "2")}, ledger, table, retired(release="2"))
    assert broken(site) == []
    assert site.by_key[site.permanence.owners["leaf"]].name == "Blade"
    assert site.permanence.notices["/term/leaf/"] == "told"


def test_page_of_a_retired_term_leads_to_all_terms_that_have_its_words() -> None:
    """If several terms have words of a retired page, it leads to each, that with its first words
    first."""
    glossary = {"1": {"Leaf": RING}, "2": {"Leaf": TREE}, "3": {"Ring": RING, "Tree": TREE}}
    site = built(
        {"s": without(glossary, "1", "2")},
        published({"s": glossary}),
        retired(release="1"),
        retired(release="2"),
    )
    [leaf] = [one for one in site.permanence.kept if one.row.address == "/term/leaf/"]
    assert broken(site) == []
    assert [site.by_key[key].name for key in leaf.terms] == ["Ring", "Tree"]


def test_withdrawn_release_takes_its_terms_from_a_page_that_another_source_shares() -> None:
    """A [[retired]] answers for the list of terms of a release whose page stays, as another source
    has its name."""
    sources = {"t": {"1": {}, "2": {"Tree": TREE}}, "s": {"1": {"Leaf": LEAF}, "2": {"Leaf": LEAF}}}
    left = {**sources, "s": without(sources["s"], "1")}
    ledger = published(sources)
    assert broken(built(left, ledger, retired(source="s", release="1"))) == []
    assert "/release/1/terms/" in broken(built(left, ledger, retired(source="t", release="1")))


def test_id_of_a_release_without_the_term_is_kept_without_a_declaration() -> None:
    """A release of which a page showed no words may go, if nothing else needs it; its id stays on
    the page."""
    sources = {"s": {"1": {"Leaf": LEAF}, "2": {"Leaf": LEAF}}, "t": {"1": {}, "2": {"Leaf": RING}}}
    left = {**sources, "t": without(sources["t"], "1")}
    site = built(left, published(sources))
    assert broken(site) == []
    assert site.permanence.kept_fragments["/term/leaf/"] == ("s-t~1",)


def test_words_of_an_open_release_may_change_and_its_addresses_may_not() -> None:
    """The newest folder may be reworded; a term that it lacks now, or words of an older one, are
    refused."""
    ledger = published({"s": ONE}, is_open=True)
    assert broken(built({"s": changed(ONE, "3", Leaf="Others.")}, ledger, is_open=True)) == []
    assert broken(built({"s": changed(ONE, "2", Ring="Others.")}, ledger, is_open=True)) != []
    new = {**ONE, "4": {**ONE["3"], "Tree": TREE}}
    ledger = published({"s": new}, ledger=ledger, is_open=True)
    assert broken(built({"s": changed(new, "4", Tree="")}, ledger, is_open=True)) == [
        "/term/tree/",
        "/term/tree/4/",
    ]


def test_words_of_an_open_release_are_promised_as_they_are_once_it_is_closed() -> None:
    """The ledger takes the last words of an open folder: the first ones are refused later."""
    edited = changed(ONE, "3", Leaf="Others.")
    ledger = published({"s": edited}, ledger=published({"s": ONE}, is_open=True), is_open=True)
    assert broken(built({"s": edited}, ledger)) == []
    assert "/term/leaf/#r3" in broken(built({"s": ONE}, ledger))


def test_words_of_former_names_are_promised() -> None:
    """The page of a former name promises the words of all releases that it shows."""
    found = broken(built({"s": changed(ONE, "3", Core="Others.")}, published({"s": ONE})))
    assert "/term/kernel/#r3" in found and "/term/core/#r3" in found


def test_term_added_to_an_old_release_is_named_and_accepted() -> None:
    """A term that an old release did not have is one problem, and no breach."""
    site = built({"s": changed(ONE, "1", Tree=TREE)}, published({"s": ONE}))
    assert broken(site) == []
    assert [one.found for one in site.problems if one.kind == ProblemKind.ADDED] == [
        "s 1 has 1 term that it did not have when it was published, such as “Tree”"
    ]


def test_declaration_without_effect_is_named() -> None:
    """A [[retired]] and a [[corrected]] that answer for nothing are problems."""
    ledger = published({"s": ONE})
    table = corrected(built({"s": ONE}, ledger), "1", "Leaf", words="0" * 12)
    site = built({"s": ONE}, ledger, retired(source="s", release="9"), table)
    found = [problem.found for problem in site.problems]
    assert any(one.startswith("[[retired]] s, 9 names nothing") for one in found)
    assert any(one.startswith("[[corrected]] s 1 Leaf is about other words") for one in found)


def test_ids_that_mark_a_place_in_a_list_are_kept() -> None:
    """The id of a letter, or of a kind of change, stays on a list that has nothing there any
    more."""
    ledger = published({"s": {"1": {"Leaf": LEAF, "Ring": RING}}})
    glossary = {"1": {"Leaf": LEAF, "Ring": RING}, "2": {"Leaf": LEAF, "Kern": RING}}
    site = built({"s": glossary}, ledger)
    assert broken(site) == []
    assert "letter-r" in site.permanence.kept_fragments["/a-z/"]


def test_corrected_is_printed_for_the_name_that_the_promised_words_have() -> None:
    """If a name that was corrected before has another one in one release alone, the table names
    that."""
    glossary: Glossary = {"1": {"Leaf": LEAF}, "2": {"Blade": f"{LEAF} Twice."}}
    ledger = published({"s": {**glossary, "2": {"Leaf": f"{LEAF} Twice."}}})
    ledger = published({"s": glossary}, renamed("Leaf", "Blade"), ledger=ledger)
    now: Glossary = {**glossary, "1": {"Ring": LEAF}}
    site = built({"s": now}, ledger, renamed("Leaf", "Blade"))
    read = Glossaries(sources=(_as_source("s", now),))
    config = parse(
        f'[[source]]\nid = "s"\nfolder = "s"\n{renamed("Leaf", "Blade")}', path="site.toml"
    )
    [table] = [table for one in remedies(site, config, read, ledger) for table in one.tables]
    assert 'term = "Ring"' in table


def test_remedies_of_words_and_releases_are_printed_together() -> None:
    """A withdrawn release and edited words of another one have their tables in one message."""
    ledger, edited = published({"s": ONE}), {"s": changed(without(ONE, "2"), "1", Leaf="Others.")}
    site = built(edited, ledger)
    read = Glossaries(sources=(_as_source("s", edited["s"]),))
    config = parse('[[source]]\nid = "s"\nfolder = "s"\n', path="site.toml")
    tables = [
        table.split("\n")[0] for one in remedies(site, config, read, ledger) for table in one.tables
    ]
    assert tables == ["[[retired]]", "[[corrected]]"]


def test_namesake_in_other_letters_does_not_take_an_address() -> None:
    """Of two terms whose names differ only in letters, each keeps its page, also where one has left
    a release."""
    one: Glossary = {"1": {"Straße": CORE}, "2": {"Straße": CORE, "strasse": LEAF}}
    ledger = published({"s": one})
    other: Glossary = {"3": {"strasse": RING}}
    for sources in ({"s": one}, {"t": other, "s": {**one, "3": one["1"]}}):
        site = built(sources, ledger)
        owners = {slug: site.by_key[key].name for slug, key in site.permanence.owners.items()}
        assert owners == {"strasse": "Straße", "strasse-2": "strasse"}
        ledger = published(sources, ledger=ledger)


def test_name_that_a_new_term_has_does_not_take_the_page_of_a_retired_one() -> None:
    """A retired page stays with the term that has its other words, in the next build too."""
    tables = ['[[rename]]\nsource = "s"\nfrom = "Key"\nto = "Lock"\nrelease = "2"\n']
    old: Glossary = {
        "1": {"Key": CORE, "Leaf": LEAF},
        "2": {"Lock": f"{CORE} Twice.", "Leaf": LEAF},
    }
    ledger = published({"s": old}, *tables)
    new = {"s": {**old, "1": {"Leaf": LEAF}, "3": {**old["2"], "Key": RING}}}
    gone = corrected(built(new, ledger), "1", "Key")
    tables += [gone, retired(address="/term/key/")]
    first = published(new, *tables, ledger=ledger)
    assert published(new, *tables, ledger=first) == first


def test_corrected_name_stays_on_its_page_in_the_next_build_too() -> None:
    """A page keeps its corrected name where another name of the term differs from the old one only
    in letters."""
    old: Glossary = {"1": {"leaf": LEAF, "Ring": RING}, "2": {"leaf": LEAF}, "3": {"LEAF": LEAF}}
    ledger = published({"s": old})
    new = {"s": {"1": {"Ring": RING}, "2": {"blade": LEAF}, "3": {"LEAF": LEAF}}}
    tables = [
        renamed("leaf", "blade"),
        corrected(built(new, ledger, renamed("leaf", "blade")), "1", "leaf"),
    ]
    first = published(new, *tables, ledger=ledger)
    assert published(new, *tables, ledger=first) == first
