"""[[withheld]]: words are removed everywhere, and addresses stay."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from archives import edition
from commands import Command
from glossaries import source
from glossary_folder import FILES, LIBRARY, MANUAL, SITE, glossary, write

from sitegen.config.tables import Withheld
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.withholding import Cleaner

WITHHELD = """
[[withheld]]
term = "Kernel"
reason = "withheld at the request of its author"

[[withheld]]
text = "ATen"
reason = "a name that must not be shown"
"""


def words_on(site: Path, words: str) -> list[str]:
    """The files of a site that have these words."""
    files = (path for path in site.rglob("*") if path.is_file())
    return sorted(
        path.relative_to(site).as_posix() for path in files if words.encode() in path.read_bytes()
    )


@pytest.mark.parametrize(
    ("definition", "shown"),
    [
        ("<p>By <em>John Doe</em> &amp; others.</p>", "<p>By […1] &amp; others.</p>"),
        ("<p>By JOHN <em>DOE</em>.</p>", "<p>By […1].</p>"),
        ("<p>By <em>nobody</em>.</p>", "<p>By <em>nobody</em>.</p>"),
        ("<p>By John&nbsp;Doe.</p>", "<p>By […1].</p>"),
        ("<pre>John\nDoe</pre>", "<p>[…1]</p>"),
        ("<p>By John Doe.</p><ul><li>A</li></ul>", "<p>By […1].</p><p>A</p>"),
        ('<p>By <a href="https://example.org/john%20doe">him</a>.</p>', "<p>By him.</p>"),
        ('<p>By <abbr title="John Doe">JD</abbr>.</p>', "<p>By JD.</p>"),
        ('<p>By <a href="term:John%20Doe">him</a>.</p>', "<p>By him.</p>"),
        (
            '<div class="note"><p class="note-title">John <em>Doe</em></p><p>A.</p></div>',
            "<p>A.</p>",
        ),
        ('<pre><code class="language-abbr">abbr abbrs</code></pre>', "<p>[…2] […2]s</p>"),
    ],
)
def test_a_text_is_taken_out_of_markup(definition: str, shown: str) -> None:
    """A text is removed in any case, with any white space, and from attributes. Of a definition
    that has it, the plain text is left."""
    read = source("words", {"1.0": {"saw": definition}})
    cleaner = Cleaner([Withheld(texts=("John Doe", "abbr"), reason="asked")])
    [cleaned] = cleaner.source(read).releases
    assert cleaned.entries[0].definition.html == shown


def test_the_longest_text_is_taken_out_first() -> None:
    """Nothing is left of a text that begins with another one."""
    cleaner = Cleaner([Withheld(texts=("John", "John Doe"), reason="asked")])
    assert cleaner.without("John Doe, John") == "[…2], […1]"


def test_a_text_is_taken_out_beside_a_definition() -> None:
    """A text is removed from the section, the anchors and the further fields of an entry."""
    [entry] = source("words", {"1.0": {"saw": "A tool."}}).releases[0].entries
    text = replace(
        entry.text,
        section="Of John Doe",
        anchors=("john doe",),
        metadata=(("Author", ("John Doe",)),),
    )
    cleaned = Cleaner([Withheld(texts=("John Doe",), reason="asked")]).entry(
        entry._replace(text=text)
    )
    assert cleaned.text.section == "Of […1]"
    assert cleaned.text.anchors == ("[…1]",)
    assert cleaned.text.metadata == (("Author", ("[…1]",)),)


@pytest.fixture
def result(command: Command) -> str:
    """Returns where Kernel's words are before anything is withheld; the site is published."""
    write(Path("words"))
    assert command("build", "words").status == 0
    files = [text for text in FILES.values() if "Kernel" in text]
    return next(line for line in files[0].partition("Kernel")[2].splitlines() if line.strip())


def test_words_are_nowhere_on_the_site(result: str, command: Command) -> None:
    """The definition is on no page and in no data, and its pages stay with the reason."""
    before = {path.relative_to("site") for path in Path("site").rglob("*.html")}
    assert words_on(Path("site"), result.strip().rstrip("."))
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write(WITHHELD)
    built = command("build", "words")
    assert (built.status, built.err) == (0, "")
    assert words_on(Path("site"), result.strip().rstrip(".")) == []
    assert {path.relative_to("site") for path in Path("site").rglob("*.html")} >= before
    assert "withheld at the request of its author" in Path("site/term/kernel/index.html").read_text(
        encoding="utf-8"
    )


def test_a_term_that_is_withheld_under_a_wrong_name_is_told(result: str, command: Command) -> None:
    """A withheld term that no release has is a problem at its line, which does not repeat it."""
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write(WITHHELD.replace("Kernel", "Kernle"))
    line = Path("words/site.toml").read_text(encoding="utf-8").count("\n") - 6
    assert command("build", "words").err == (
        f"words/site.toml:{line}: [[withheld]] has a term that is not the name of a term at any "
        "release; write the name as the glossary has it\n"
    )


def test_a_withheld_term_may_be_in_what_cannot_be_read(command: Command) -> None:
    """A withheld term is not called unknown while a source that may have it is not read."""
    write(Path("words"))
    shutil.rmtree("words/manual")
    Path("words/manual").write_text("A folder was here.", encoding="utf-8")
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write(WITHHELD.replace("Kernel", "Widget"))
    problems = command("build", "words").err
    assert ("words/manual: is not" in problems, "[[withheld]]" in problems) == (True, False)


def test_a_table_about_what_was_never_published_is_told(result: str, command: Command) -> None:
    """A retirement, a correction or the like that names an unknown source is a problem at its
    line."""
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        line = Path("words/site.toml").read_text(encoding="utf-8").count("\n") + 2
        file.write("""
[[retired]]
source = "librray"
reason = "gone"

[[corrected]]
source = "other"
release = "1.0"
reason = "a typo"
""")
    assert command("build", "words").err.splitlines() == [
        f"words/site.toml:{line}: unknown source 'librray'; did you mean 'library'?",
        f"words/site.toml:{line + 4}: unknown source 'other'; write it as it was published",
    ]


def test_the_pages_of_a_withdrawn_release_give_its_reason(result: str, command: Command) -> None:
    """The page of a withdrawn release says why it is withdrawn, and so does that of the comparison
    with it."""
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write("""
[[retired]]
source = "library"
release = "1.1"
reason = "too early"
""")
    assert command("build", "words").err.count("[[retired]]") == 0
    for folder in ("release/1.1", "compare/1.1"):
        assert "too early" in Path("site", folder, "index.html").read_text(encoding="utf-8")


def test_the_pages_of_a_source_that_is_taken_out_give_the_reason(
    result: str, command: Command
) -> None:
    """If site.toml names a source in [[retired]] alone, the pages of its terms, wordings and
    releases say why it is gone."""
    retired = '[[retired]]\nsource = "library"\nreason = "given to others"\n'
    Path("words/site.toml").write_text(SITE + MANUAL + retired, encoding="utf-8")
    built = command("build", "words")
    assert (built.status, built.err) == (0, "")
    for folder in ("term/leaf-node", "term/aten/1.0", "release/1.1"):
        page = Path("site", folder, "index.html").read_text(encoding="utf-8")
        assert "given to others" in page


def test_text_is_taken_out_of_names_and_definitions(result: str, command: Command) -> None:
    """A text is removed in any case from names and definitions, in every later build too."""
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write(WITHHELD[WITHHELD.rindex("[[withheld]]") :])
    for _ in range(2):
        built = command("build", "words")
        assert (built.status, built.err) == (0, "")
    assert words_on(Path("site"), "ATen") == []


def test_text_is_taken_out_of_names_that_are_no_entries_any_more(command: Command) -> None:
    """A name that a release has only as text is noted in the archive, without a withheld text."""
    names = ("Saw", "Axe", "Jane", "Hammer", "Nail", "Screw")
    words = "".join(f"**{name}**: {name} is a word for a part of it.\n\n" for name in names)
    files = {
        "site.toml": SITE + LIBRARY + '[[withheld]]\ntext = "Jane"\nreason = "asked"\n',
        "library/1.0/GLOSSARY.md": f"# Glossary\n\n{words}",
        "library/1.1/GLOSSARY.md": f"# Glossary\n\n{words}".replace("**Jane**", "Jane"),
    }
    write(Path("words"), files)
    built = command("build", "words")
    assert (built.status, built.err) == (0, "")
    assert words_on(Path("site"), "Jane") == []
    archive = Path("words/archive.jsonl").read_text(encoding="utf-8")
    assert '"kept_as_text":["[…1]"]' in archive
    assert "Jane" not in archive


def test_text_is_taken_out_of_problems(command: Command) -> None:
    """A page lists what is wrong in the sources without a withheld text."""
    words = "# Glossary\n\n## Jane\n\n## Saw\n\nA tool of [her](https://example.org/Jane).\n"
    files = {
        "site.toml": SITE + LIBRARY + '[[withheld]]\ntext = "Jane"\nreason = "asked"\n',
        "library/1.0/GLOSSARY.md": words,
    }
    write(Path("words"), files)
    assert "[…1]" in command("build", "words").err
    assert words_on(Path("site"), "Jane") == []
    assert "Jane" not in Path("words/archive.jsonl").read_text(encoding="utf-8")


def test_problems_quote_no_withheld_definition(command: Command) -> None:
    """A problem in a document with a withheld definition is shown with its place alone."""
    words = "# Glossary\n\n## Saw\n\nSee [this](secret.md).\n\n## Axe\n\nSee [that](lost.md).\n"
    files = {
        "site.toml": SITE + LIBRARY + '[[withheld]]\nterm = "Saw"\nreason = "asked"\n',
        "library/1.0/GLOSSARY.md": words,
        "library/1.0/more.md": words.replace("Saw", "Nail")
        .replace("Axe", "Jig")
        .replace("secret", "lost"),
    }
    write(Path("words"), files)
    built = command("build", "words")
    assert "words/library/1.0/GLOSSARY.md:3: a problem that is not shown, as it may" in built.err
    assert "words/library/1.0/more.md:3: links to 'lost.md' are shown as text" in built.err
    assert words_on(Path("site"), "secret") == []


def test_text_is_taken_out_of_mistakes_in_settings(command: Command) -> None:
    """A table of site.toml that has no effect is a problem without a withheld text."""
    tables = '[[withheld]]\ntext = "Jane"\nreason = "asked"\n\n'
    tables += '[[rename]]\nsource = "library"\nfrom = "Jane"\nto = "Saw"\n'
    files = {
        "site.toml": SITE + LIBRARY + tables,
        "library/1.0/GLOSSARY.md": glossary(Axe="A tool.", Saw="Another."),
    }
    write(Path("words"), files)
    assert "[[rename]] '[…1]' is not the name of a term" in command("build", "words").err
    assert words_on(Path("site"), "Jane") == []


@pytest.mark.parametrize(
    "table", ['text = ["CUX1", "cux2 & co"]', 'term = "Station code"'], ids=["texts", "definitions"]
)
def test_withheld_words_stay_in_history_as_a_change(table: str, command: Command) -> None:
    """That words changed, and when, is shown as before; the words themselves are replaced on both
    sides."""
    code = "The short name of a gauge, such as"
    files = {
        f"library/{release}/GLOSSARY.md": glossary(
            Station_code=f"{code} {words}.", Gauge="What is read."
        )
        for release, words in {"1.0": "CUX1", "1.1": "CUX2 & Co", "1.2": "*CUX2* & Co"}.items()
    }
    write(Path("words"), {"site.toml": SITE + LIBRARY, **files})
    assert command("build", "words").status == 0
    before = {path.relative_to("site") for path in Path("site").rglob("*.html")}
    with Path("words/site.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[[withheld]]\n{table}\nreason = "military"\n')
    built = command("build", "words")
    assert (built.status, built.err) == (0, "")
    assert words_on(Path("site"), "CUX") == []
    assert {path.relative_to("site") for path in Path("site").rglob("*.html")} == before
    page = Path("site/term/station-code/index.html").read_text(encoding="utf-8")
    numbers = ("[…1]", "[…2]") if "text" in table else ("[… 1]", "[… 2]")
    assert "Reworded" in page and all(number in page for number in numbers)
    assert "No terms changed" not in Path("site/release/1.1/index.html").read_text(encoding="utf-8")
    assert "No terms changed" in Path("site/release/1.2/index.html").read_text(encoding="utf-8")
    assert "Replaced in" in Path("site/term/station-code/1.0/index.html").read_text(
        encoding="utf-8"
    )


def test_withheld_wordings_are_numbered_in_each_source() -> None:
    """What another source says about a withheld term, and how often, changes no published
    number."""
    shown = []
    for releases in ("1.0 1.1", "1.0 1.1 1.2"):
        sources = (source("first", {name: {"saw": f"Cuts {name}."} for name in releases.split()}),)
        sources += (source("second", {"5": {"saw": "A tool."}, "6": {"Saw": "Another tool."}}),)
        cleaner = Cleaner([Withheld(terms=("saw",), reason="asked")])
        _, second = map(cleaner.source, sources)
        shown.append([one.entries[0].definition.text for one in second.releases])
    assert shown == [["[… 1] asked", "[… 2] asked"]] * 2


def test_wordings_have_the_same_numbers_in_the_archive_and_in_sources() -> None:
    """Withheld wordings are numbered in the order of the releases, whatever the order of the
    archive's lines and the id under which they were published."""
    words = {"2.0": "A tool.", "10.0": "A blade."}
    lines = [
        *edition("10.0", {"saw": words["10.0"]}, after="2.0"),
        *edition("2.0", {"saw": words["2.0"]}),
    ]
    withheld = Cleaner([Withheld(terms=("saw",), reason="asked")]).archive(archive_of(lines))
    archived = {}
    for one in withheld.editions.values():
        [text] = withheld.texts_of(one)
        archived[one.release] = text.html
    read = source("renamed", {release: {"saw": said} for release, said in words.items()})
    cleaned = Cleaner([Withheld(terms=("saw",), reason="asked")]).source(read)
    assert archived == {one.name: one.entries[0].definition.html for one in cleaned.releases}
    assert archived == {"2.0": "<p>[… 1] asked</p>", "10.0": "<p>[… 2] asked</p>"}
