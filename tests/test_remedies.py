"""The gate: a build that breaks a promise fails, and the printed remedy keeps a page at every
address."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from commands import Command
from glossary_folder import FILES, KERNEL, LIBRARY, MANUAL, SITE, everything, glossary, write
from remedies import broken, paste

from sitegen.model import File, Release, Source
from sitegen.permanence import keeping, permalinks
from sitegen.permanence.breaches import breaches
from sitegen.permanence.ledger import Ledger, LedgerRow
from sitegen.permanence.permalinks import Permanence
from sitegen.permanence.promises import History
from sitegen.permanence.remedies import GateError, broken_promises
from sitegen.pipeline import assembly

WORDS, SITE_FOLDER, TOML = Path("words"), Path("site"), Path("words/site.toml")


# Rows against rows.

TERM = LedgerRow(
    address="/term/aten/",
    kind="term",
    name="ATen",
    source="s",
    first="1",
    last="2",
    fragments=(("r1", "s 1"),),
)
OTHER = LedgerRow(
    address="/term/other/",
    kind="term",
    name="Other",
    source="s",
    first="1",
    fragments=(("r1", "s 1"),),
)
WORDING = LedgerRow(
    address="/term/aten/1/", kind="frozen", name="ATen", source="s", first="1", last="1", words="ab"
)


def found(before: list[LedgerRow], after: list[LedgerRow]) -> list[str]:
    """Returns the breaches if some rows are published after others."""
    ledger, there = ({row.address: row for row in rows} for rows in (before, after))
    return [f"{breach.address}: {breach.found}" for breach in breaches(ledger, there)]


def test_what_is_kept_is_no_breach():
    """The same row, more fragments, a later release or an existing successor break nothing."""
    more = replace(
        TERM, last="3", successor="/term/other/", fragments=(("r1", "s 1"), ("r3", "s 3"))
    )
    assert found([TERM], [more, OTHER, WORDING]) == []


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([], "/term/aten/: would be missing; it means “ATen” of s 1 to 2"),
        (
            [replace(TERM, name="Other")],
            "/term/aten/: would mean “Other” of s 1 to 2; it means “ATen” of s",
        ),
        (
            [replace(TERM, source="t")],
            "/term/aten/: would mean “ATen” of t 1 to 2; it means “ATen” of s",
        ),
        (
            [replace(TERM, kind="page")],
            "/term/aten/: would mean a page; it means “ATen” of s 1 to 2",
        ),
        ([replace(TERM, fragments=())], "/term/aten/#r1: would be missing; it means s 1"),
        (
            [replace(TERM, fragments=(("r1", "s 2"),))],
            "/term/aten/#r1: would mean s 2; it means s 1",
        ),
        ([replace(TERM, successor="/x/")], "/term/aten/: would lead to /x/, which is missing"),
        (
            [replace(TERM, successor="/term/other/"), replace(OTHER, successor="/term/x/")],
            "/term/aten/: would lead to /term/other/, which leads on to /term/x/",
        ),
    ],
)
def test_every_way_to_break_a_promise_is_found(after: list[LedgerRow], expected: str):
    """An address that is missing, changed or two redirects away is named with its meaning."""
    [message] = found([TERM], after)
    assert message.startswith(expected)


def test_term_whose_first_release_is_not_known():
    """The meaning of an address is decided by the releases that the ledger has."""
    for last, result in (("1.0", "“ATen” of s 1.0"), ("", "“ATen” of s")):
        row = replace(TERM, first="", last=last, fragments=())
        assert found([row], []) == [f"/term/aten/: would be missing; it means {result}"]


def test_other_words_are_found():
    """A frozen page with other words is a breach."""
    assert found([TERM, WORDING], [TERM, replace(WORDING, words="cd")]) == [
        "/term/aten/1/: would show other words; it means the words of “ATen” in s 1"
    ]


def test_breaches_of_one_cause_have_one_remedy():
    """Addresses to retire share one table, and the message names only the first."""
    page = LedgerRow(address="/x/", kind="page")
    ledger: Ledger = {row.address: row for row in (TERM, WORDING, OTHER, page)}
    there: Ledger = {OTHER.address: OTHER}
    source = Source(id="s", title="S", releases=(Release(name="1"), Release(name="2")))
    permanence = Permanence(
        slugs={}, ledger=ledger, rows=there, broken=breaches(ledger, there, [source])
    )
    history = History(sources=(source,), lives=())
    text = str(
        GateError("p.json", broken_promises(permanence, history, problems=(), former_ids={}))
    )
    assert text.splitlines()[0] == "p.json: this build would break 3 published addresses"
    assert text.count("[[retired]]") == 1
    assert 'address = ["/term/aten/", "/x/"]' in text
    assert text.count("would be missing") == 1


# Whole builds, and following what they say.


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Command:
    """Runs the command beside a glossary of two sources, `words`, whose site was published."""
    write(tmp_path / "words")
    assert command("build", "words").status == 0
    return command


def withdraw(release: str) -> Callable[[], None]:
    return lambda: shutil.rmtree(WORDS / release)


def drop(source: str, others: str) -> Callable[[], None]:
    def happen() -> None:
        shutil.rmtree(WORDS / source)
        TOML.write_text(SITE + others)

    return happen


def change(path: str, *texts: str) -> Callable[[], None]:
    def happen() -> None:
        for file in sorted(WORDS.glob(path)):
            file.write_text(file.read_text().replace(*texts))

    return happen


def delete_file() -> None:
    (WORDS / "library/1.1/nodes.md").unlink()


def respell_and_reword() -> None:
    change("library/*/*.md", "Kernel", "Kern")()
    change("library/*/*.md", "once", "twice")()


HAPPENINGS = {
    "a release is withdrawn": (
        withdraw("library/1.0"),
        {"/release/1.0/", "/term/aten/#r1.0", "/term/aten/1.0/"},
    ),
    "the release that brought a term is withdrawn": (
        withdraw("library/1.1"),
        {"/release/1.1/", "/term/leaf-node/", "/term/leaf-node/1.1/"},
    ),
    "the only release is withdrawn": (
        withdraw("manual/2.0"),
        {"/release/2.0/", "/term/widget/", "/term/volume/#r2.0"},
    ),
    "a source is dropped": (
        drop("manual", LIBRARY),
        {"/term/widget/", "/term/volume/2.0/", "/term/volume/#r2.0"},
    ),
    "the first source is dropped": (
        drop("library", MANUAL),
        {"/term/aten/", "/term/volume/#r1.0", "/term/volume/1.0/"},
    ),
    "a source gets another id": (
        change("site.toml", 'id = "library"', 'id = "lib"'),
        {"/term/aten/"},
    ),
    "the site moves": (
        change("site.toml", "org/words", "org/terms"),
        {"https://example.org/words/"},
    ),
    "the site is nowhere any more": (
        change("site.toml", "base_url", "# base_url"),
        {"https://example.org/words/"},
    ),
    "a name is spelled otherwise": (
        change("library/*/*.md", "Kernel", "Kern"),
        {"/term/kernel/"},
    ),
    "a name and its words are others": (
        respell_and_reword,
        {"/term/kernel/", "/term/kernel/1.0/"},
    ),
    "a file is deleted": (delete_file, {"/term/leaf-node/", "/term/root-node/1.1/"}),
    "an old release is edited": (
        change("library/1.0/*", "A tensor", "An old tensor"),
        {"/term/aten/1.0/"},
    ),
}


@pytest.mark.parametrize("happening", HAPPENINGS)
def test_what_is_printed_is_the_way_out(run: Command, happening: str) -> None:
    """Each broken address is listed; with the printed lines pasted the build passes, with a page at
    each address."""
    happen, expected = HAPPENINGS[happening]
    happen()
    before = everything(WORDS, SITE_FOLDER)
    result = run("build", "words")
    addresses = broken(result.err)
    assert result.status == 2
    assert len(result.err.splitlines()) <= 10
    assert expected - {*addresses} == set()
    assert everything(WORDS, SITE_FOLDER) == before

    toml = TOML.read_text()
    follow(result.err)
    again = run("build", "words")
    assert (again.status, "[[retired]]" in again.err) == (0, False)
    assert [address for address in addresses if not answers(address)] == []
    assert run("build", "words", "--locked").status == 0

    # What site.toml says of an address is necessary in every build; corrected words are promised
    # from then on.
    TOML.write_text(toml)
    assert run("build", "words").status == (0 if happening == "an old release is edited" else 2)


def follow(message: str, reason: str = "told") -> None:
    paste(message, TOML, reason=reason)


def report() -> str:
    return "".join(file.read_text() for file in Path("cache").rglob("broken-addresses.toml"))


def answers(address: str) -> bool:
    """True if an address has a page with its id, or, on a former site, a mention."""
    if address.startswith("https:"):
        return address in text_of("/about/")
    path, _, id = address.partition("#")
    file = SITE_FOLDER / path.removeprefix("/")
    page = (file / "index.html" if path.endswith("/") else file).read_text()
    return not id or f' id="{id}"' in page


def text_of(address: str) -> str:
    page = lxml.html.fromstring(
        (SITE_FOLDER / address.removeprefix("/") / "index.html").read_text()
    )
    return " ".join(page.find(".//main").text_content().split())


def test_undated_document_goes_through_the_gate(run: Command) -> None:
    """A document without releases may be reworded; what it loses is listed, and the remedy keeps
    the addresses."""
    write(WORDS, {"notes.md": glossary(Fox="An animal.", Hare="Another animal.")})
    TOML.write_text(TOML.read_text() + '[[source]]\nid = "notes"\nfile = "notes.md"\n')
    assert run("build", "words").status == 0
    write(WORDS, {"notes.md": glossary(Fox="A red animal.", Hare="Another animal.")})
    assert run("build", "words").status == 0
    write(WORDS, {"notes.md": glossary(Fox="A red animal.")})
    result = run("build", "words")
    assert "/term/hare/: would be missing; it means “Hare” of notes\n" in result.err
    follow(result.err)
    assert run("build", "words").err == ""
    assert "This page used to show “Hare” of notes. It was retired: told" in text_of("/term/hare/")


def test_what_takes_long_to_list_can_be_pasted(run: Command) -> None:
    """A table that is too long for the message is in a file that the message names."""
    terms = {f"Term_{number}": f"The thing number {number}." for number in range(30)}
    write(WORDS, {"library/1.1/many.md": glossary(**terms)})
    assert run("build", "words").status == 0
    (WORDS / "library/1.1/many.md").unlink()
    result = run("build", "words")
    assert len(result.err.splitlines()) == 4
    assert report().count("[[retired]]") == 1
    follow(result.err)
    assert run("build", "words").status == 0
    assert answers("/term/term-29/1.1/")


def test_page_of_a_dropped_source_goes_on_with_another(run: Command) -> None:
    """If the first source of a term is dropped, its page shows the definition of the other
    source."""
    drop("library", MANUAL)()
    follow(run("build", "words").err, "not ours any more")
    assert run("build", "words").status == 0
    assert "How loud it is." in text_of("/term/volume/")
    assert not (SITE_FOLDER / "term/volume-2").exists()
    assert "It was retired: not ours any more" in text_of("/term/aten/")
    assert "Current definition and history: Volume" in text_of("/term/volume/1.0/")


def test_corrected_words_are_shown_with_the_reason(run: Command) -> None:
    """An edited old release shows its new words and says that they differ from the published
    ones."""
    change("library/1.0/*", "A tensor", "An old tensor")()
    follow(run("build", "words").err, "the file was cut short")
    run("build", "words")
    for address in ("/term/aten/", "/term/aten/1.0/"):
        said = re.search(
            "The words of library 1.0 were corrected on (.+?): the file was cut short",
            text_of(address),
        )
        assert said and re.fullmatch(r"\d+ \w+ \d{4}", said[1])
    assert "corrected" not in text_of("/term/kernel/")
    assert "An old tensor library." in text_of("/term/aten/1.0/")


def test_name_that_was_spelled_otherwise_keeps_its_address(run: Command) -> None:
    """A corrected name is a [[rename]]: the page keeps its address and has the right name."""
    change("library/*/*.md", "Kernel", "Kern")()
    result = run("build", "words")
    assert 'from = "Kernel"' in result.err
    follow(result.err)
    assert run("build", "words", "--strict").status == 0
    assert text_of("/term/kernel/").startswith("Kern ")
    assert not (SITE_FOLDER / "term/kern").exists()
    # Corrected once more, the page follows.
    change("library/*/*.md", "Kern", "Karn")()
    follow(run("build", "words").err)
    assert run("build", "words", "--strict").status == 0
    assert text_of("/term/kernel/").startswith("Karn ")


def test_name_that_is_corrected_once_more(run: Command) -> None:
    """If another term has the first corrected name now, the words of both are still those that were
    published."""
    change("library/*/*.md", "Kernel", "Kern")()
    follow(run("build", "words").err)
    write(
        WORDS,
        {
            "library/1.2/GLOSSARY.md": glossary(
                **{**KERNEL, "Kern": KERNEL["Kernel"], "Kernel": "A core."}
            )
        },
    )
    assert run("build", "words").status == 0
    change("library/*/*.md", "Kern\n", "Kernkern\n")()
    change("library/*/*.md", "Kernel\n", "Kern\n")()
    result = run("build", "words").err
    assert "[[rename]]" in result and "[[corrected]]" not in result + report()
    follow(result)
    assert run("build", "words").status == 0
    assert answers("/term/kernel/#r1.2") and text_of("/term/kernel/").startswith("Kernkern ")


def test_source_with_another_id_says_what_it_was(run: Command) -> None:
    """With `formerly`, which the message names, every address stays."""
    before = {path for path in everything(SITE_FOLDER) if "/term/" in path}
    change("site.toml", 'id = "library"', 'id = "lib"')()
    message = run("build", "words").err
    assert 'formerly = "library"' in message
    follow(message)
    assert run("build", "words", "--strict").status == 0
    assert {path for path in everything(SITE_FOLDER) if "/term/" in path} == before
    write(WORDS, {"library/1.2/GLOSSARY.md": FILES["library/1.1/GLOSSARY.md"]})
    assert run("build", "words").status == 0
    assert run("build", "words", "--locked").status == 0
    assert answers("/term/aten/#r1.0") and answers("/term/aten/#r1.2")


def test_source_with_two_former_ids(run: Command) -> None:
    """An id that changes twice, with a new term in between, keeps the addresses of both."""
    loop = glossary(Loop="What runs again.")
    for old, new, file in (("library", "lib", "1.1/more.md"), ("lib", "books", "1.2/GLOSSARY.md")):
        change("site.toml", f'id = "{old}"', f'id = "{new}"')()
        follow(run("build", "words").err)
        write(WORDS, {f"library/{file}": loop})
        assert run("build", "words", "--strict").err == ""
    assert 'formerly = ["library", "lib"]\n' in TOML.read_text()
    assert run("build", "words", "--locked").status == 0
    assert (
        answers("/term/aten/#r1.0") and answers("/term/loop/1.1/") and answers("/term/loop/#r1.2")
    )
    assert sorted(path.name for path in (SITE_FOLDER / "term").glob("*-2")) == []


def test_source_that_is_not_listed_any_more(command: Command) -> None:
    """Without any [[source]], the folder is a source with another id; the printed table says which
    id it had."""
    write(
        WORDS,
        {
            "1.0/GLOSSARY.md": glossary(Leaf="Grows."),
            "site.toml": '[[source]]\nid = "s"\nfolder = "."\n',
        },
    )
    assert command("build", "words").status == 0
    TOML.write_text("")
    follow(command("build", "words").err)
    assert command("build", "words").status == 0
    assert tomllib.loads(TOML.read_text()) == {
        "source": [{"id": "glossary", "folder": ".", "formerly": "s"}]
    }


def test_one_paste_is_enough(run: Command) -> None:
    """A broken promise that appears only when others are kept has its remedy in the same
    message."""
    change("site.toml", 'id = "library"', 'id = "lib"')()
    change("library/*/*.md", "Kernel", "Kern")()
    change("library/1.0/*", "A tensor", "The tensor")()
    result = run("build", "words").err
    assert re.findall(r"^\[\[\w+\]\]|^formerly", report(), re.M) == [
        "formerly",
        "[[rename]]",
        "[[corrected]]",
    ]
    follow(result)
    assert run("build", "words", "--strict").err == ""


def test_withdrawn_release_gives_up_no_term_of_another(run: Command) -> None:
    """A term that a later release has is not retired with its first release, and keeps its page by
    its new name."""
    page = SITE_FOLDER / "term/kernel/index.html"
    withdraw("library/1.0")()
    follow(run("build", "words").err)
    assert run("build", "words", "--strict").status == 0
    change("library/1.1/*", "Kernel", "Kern")()
    result = run("build", "words").err
    assert "[[rename]]" in result
    follow(result)
    for _ in range(2):  # then another term takes the former name
        assert run("build", "words", "--strict").err == ""
        assert "<title>Kern " in page.read_text()
        write(WORDS, {"library/1.2/GLOSSARY.md": glossary(Kern=KERNEL["Kernel"], Kernel="A core.")})
    (WORDS / "library/1.1/GLOSSARY.md").write_text(glossary(ATen="The tensor library of it all."))
    result = run("build", "words").err
    assert "[[corrected]]" in result
    follow(result)
    assert run("build", "words", "--strict").err == ""
    assert "<title>Kern " in page.read_text()


def test_page_stays_with_the_source_of_its_name(run: Command) -> None:
    """A term keeps its page after its first release is gone, although another source has more of
    its wordings."""
    guides = {
        f"guide/{number}/GLOSSARY.md": glossary(Kernel="A core.", Guide="It leads.")
        for number in range(1, 5)
    }
    write(WORDS, guides)
    TOML.write_text(SITE + LIBRARY + MANUAL + '[[source]]\nid = "guide"\nfolder = "guide"\n\n')
    assert run("build", "words").status == 0
    withdraw("library/1.0")()
    follow(run("build", "words").err)
    with TOML.open("a") as file:
        file.write(
            '[[rename]]\nsource = "library"\nfrom = "Kernel"\nto = "Kern"\nrelease = "1.2"\n'
            'reason = "a new name"\n'
        )
    for again in ({}, {"Kernel": "Not the same."}):  # at last another term takes the former name
        write(
            WORDS,
            {f"library/1.{2 + len(again)}/GLOSSARY.md": glossary(Kern=KERNEL["Kernel"], **again)},
        )
        assert run("build", "words", "--strict").err == ""
        assert "Now called Kern, since 1.2" in text_of("/term/kernel/")


def test_id_that_sphinx_gave_a_retired_term_stays(run: Command) -> None:
    """The id of a retired term in the list of all terms stays, and the page says that the term is
    gone from it."""
    assert answers("/a-z/#term-Leaf-node")
    delete_file()
    follow(run("build", "words").err)
    for _ in range(2):
        assert run("build", "words", "--strict").err == ""
        page = lxml.html.fromstring((SITE_FOLDER / "a-z/index.html").read_text())
        assert len(page.xpath('//*[@id="term-Leaf-node"]')) == 1
        assert "What this link led to is no longer on this page." in page.text_content()


def test_name_with_a_soft_hyphen_is_accepted_in_site_toml(run: Command) -> None:
    """A name can be copied from a document, or from the message, with the hyphens that are not
    seen."""
    change("library/*/*.md", "Kernel", "Co\u00adlo\u00adnel")()
    result = run("build", "words")
    assert 'to = "Colonel"' in result.err
    with TOML.open("a", encoding="utf-8") as file:
        file.write(
            '[[rename]]\nsource = "library"\nfrom = "Ker\u00adnel"\nto = "Co\u00adlo\u00adnel"\n'
        )
    assert run("build", "words").status == 0
    assert text_of("/term/kernel/").startswith("Colonel ")


def test_sources_in_another_order_keep_every_address(run: Command) -> None:
    """The order of sources decides which definition is shown first, and changes no address or
    id."""
    write(WORDS, {"manual/1.0/GLOSSARY.md": glossary(Volume="A sound.", Widget="A thing.")})
    assert run("build", "words").status == 0
    before = ids("/term/volume/")
    TOML.write_text(SITE + MANUAL + LIBRARY)
    assert run("build", "words").status == 0
    assert ids("/term/volume/") == before
    assert run("build", "words", "--locked").status == 0


def ids(address: str) -> dict[str, str]:
    """Maps the ids of releases on a term's page to the words of the event they belong to."""
    page = lxml.html.fromstring(
        (SITE_FOLDER / address.removeprefix("/") / "index.html").read_text()
    )
    events = page.find_class("event")
    return {
        id: str(event.find(".//h3").text_content())
        for event in events
        for id in (event.get("id"), *event.xpath("./span/@id"))
    }


def test_second_source_of_a_term_takes_no_place_from_the_first(run: Command) -> None:
    """A later source gets ids of its own for releases of the same name, even if it is first in
    site.toml."""
    write(WORDS, {"guide/1.0/GLOSSARY.md": glossary(Kernel="A core.", Guide="Who knows the way.")})
    TOML.write_text(SITE + '[[source]]\nid = "guide"\nfolder = "guide"\n\n' + LIBRARY + MANUAL)
    assert run("build", "words").status == 0
    assert text_of("/term/kernel/1.0/").count("once for each element") == 1
    assert "A core." in text_of("/term/kernel/s-guide~1.0/")
    assert set(ids("/term/kernel/")) == {"r1.0", "r1.1", "s-guide~1.0"}


def test_terms_told_apart_leave_word_where_they_were_one(run: Command) -> None:
    """After a [[distinct]] the page continues with the first term, keeps every id, and links to the
    other's page."""
    with TOML.open("a") as file:
        file.write('[[distinct]]\nnames = ["Volume"]\n')
    assert run("build", "words", "--strict").status == 0
    assert answers("/term/volume/#r2.0")
    page = lxml.html.fromstring((SITE_FOLDER / "term/volume/index.html").read_text())
    [link] = page.xpath("//p[@class='notice']/a/@href")
    assert link == "../../term/volume-2/index.html"
    assert "How loud it is." in text_of("/term/volume-2/")
    # What was linked to as the manual's wording still shows it.
    assert "How loud it is." in text_of("/term/volume/2.0/")


def test_terms_that_were_one_after_all_share_a_page(run: Command) -> None:
    """After a [[same]] both pages stay: one redirects to the other, and each keeps its ids."""
    with TOML.open("a") as file:
        file.write('[[same]]\nnames = ["Kernel", "Widget"]\n')
    assert run("build", "words").status == 0
    assert "Another name of Kernel" in text_of("/term/widget/")
    assert answers("/term/widget/#r2.0") and answers("/term/kernel/#r1.0")
    assert "What is shown on a screen." in text_of("/term/widget/2.0/")


def test_words_to_no_effect_are_told(run: Command) -> None:
    """A [[retired]] that matches no missing address is a problem with its line, and retires
    nothing."""
    with TOML.open("a") as file:
        file.write('[[retired]]\naddress = "/term/kernel/"\nreason = "a slip"\n')
    result = run("build", "words")
    assert result.status == 0
    assert result.err == (
        "words/site.toml:12: [[retired]] /term/kernel/ names nothing that was published and is "
        "missing; remove the "
        "table, or correct what it names\n"
    )
    assert "What runs on a device" in text_of("/term/kernel/")


# Sabotage: what only a mistake of ours could do.


def leave_out(address: str) -> Callable[[pytest.MonkeyPatch], None]:
    def sabotage(patch: pytest.MonkeyPatch) -> None:
        render = assembly.Renderer.render
        elsewhere = File(path="elsewhere.html", content=b"")
        patch.setattr(
            assembly.Renderer,
            "render",
            lambda its, page: elsewhere if page.address == address else render(its, page),
        )

    return sabotage


def promise(**facts: dict[str, str]) -> Callable[[pytest.MonkeyPatch], None]:
    """Patches the promises, so that pages have another meaning or another successor: facts by
    slug."""

    def sabotage(patch: pytest.MonkeyPatch) -> None:
        def changed_promises(*inputs: Any, of: Any = keeping.promises, **options: Any) -> Ledger:
            there = of(*inputs, **options)
            changed = {f"/term/{slug}/": values for slug, values in facts.items()}
            return {
                **there,
                **{
                    address: replace(there[address], **values)
                    for address, values in changed.items()
                },
            }

        patch.setattr(keeping, "promises", changed_promises)

    return sabotage


def swap_slugs(patch: pytest.MonkeyPatch) -> None:
    of = permalinks.permalinks

    def swapped(*given: Any, **options: Any) -> Any:
        links = of(*given, **options)
        one, two = (
            next(key for key, slug in links.slugs.items() if slug == name)
            for name in ("kernel", "aten")
        )
        return replace(links, slugs={**links.slugs, one: "aten", two: "kernel"})

    patch.setattr(permalinks, "permalinks", swapped)


SABOTAGE = {
    "a page is not made": (leave_out("term/kernel/"), "/term/kernel/: was not made"),
    "a frozen page is not made": (leave_out("term/aten/1.0/"), "/term/aten/1.0/: was not made"),
    "a page leads to a page that leads on": (
        promise(kernel={"successor": "/term/aten/"}, aten={"successor": "/term/volume/"}),
        "/term/kernel/: would lead to /term/aten/, which leads on to /term/volume/",
    ),
    "a page leads nowhere": (
        promise(kernel={"successor": "/term/x/"}),
        "would lead to /term/x/, which is missing",
    ),
    "a page stands for another term": (
        promise(kernel={"name": "ATen"}),
        "/term/kernel/: would mean “ATen”",
    ),
    "two terms change places": (swap_slugs, "/term/kernel/: would mean “ATen”"),
}


@pytest.mark.parametrize("mistake", SABOTAGE)
def test_gate_stops_mistakes_of_ours(
    run: Command, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    """If a bug loses or misdirects a page, the build fails, and site and ledger stay."""
    sabotage, reason = SABOTAGE[mistake]
    sabotage(monkeypatch)
    Path("site/index.html").chmod(0o600)  # else the build ends early
    before = everything(Path("words"), Path("site"))
    result = run("build", "words")
    assert result.status == 2
    assert reason in result.err + report()
    assert "words/permalinks.json: this build would break" in result.err
    assert everything(Path("words"), Path("site")) == before
