"""`sitegen diff`: the effect of a change on a glossary, described for its reviewers."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import lxml.html
import pytest
from commands import Command
from glossary_folder import FILES, LIBRARY, SITE, everything, glossary, write
from markdown_it import MarkdownIt
from repositories import Repository

from sitegen.permanence.archive import ArchivedPage
from sitegen.permanence.archive_lines import line_of
from sitegen.tools.review import Review
from sitegen.tools.review_report import markdown

ONE = glossary(
    ATen="A tensor library, for tensors.",
    Kernel="What runs on a device, once for each element.",
    Loop="It goes round. See [Kernel](#kernel).",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Repository:
    """An empty repository; the current folder."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    return project


@pytest.fixture
def words(project: Repository, built_glossary: Path) -> Repository:
    """A glossary of two sources in `words`, with its archive, committed."""
    copytree(built_glossary, "words")
    project.commit({})
    return project


def reported(
    command: Command, *arguments: str, change: str = "HEAD^..HEAD", status: int = 0
) -> str:
    """Returns the report on a change as one text."""
    result = command("diff", change, *arguments)
    assert (result.status, result.err) == (status, ""), result
    return result.out


def test_change_since_the_default_branch(project: Repository, command: Command) -> None:
    """Without commits, the report is of what the current branch changes."""
    project.commit({"site.toml": "", "1.0/GLOSSARY.md": ONE})
    project.git("branch", "--move", "main")
    project.git("checkout", "--quiet", "-b", "topic")
    project.commit({"1.0/GLOSSARY.md": ONE.replace("goes round", "goes around")})
    result = command("diff")
    assert (result.status, result.err) == (0, "")
    assert "Loop" in result.out


def test_change_that_adds_too_many_files(project: Repository, command: Command) -> None:
    """A change that adds 10^8 folders is reported without them."""
    project.commit({"site.toml": "", "1.0/GLOSSARY.md": ONE})
    project.commit_without_end({"GLOSSARY.md": ONE}, tag="topic")
    result = command("diff", "main..topic")
    assert (result.status, result.err) == (0, "")
    assert "3 terms added" in result.out


def test_commits_that_have_nothing_in_common(project: Repository, command: Command) -> None:
    """Two commits without a common ancestor cannot be compared from where they parted."""
    project.commit({"site.toml": "", "1.0/GLOSSARY.md": ONE})
    project.git("checkout", "--quiet", "--orphan", "topic")
    project.commit({"1.0/GLOSSARY.md": ONE.replace("goes round", "goes around")})
    result = command("diff", "main...topic")
    assert (result.status, result.out) == (2, "")
    assert (
        result.err == "main...topic: the two have no commit in common; fetch more of the history\n"
    )


def test_addresses_that_a_workflow_keeps_are_published(words: Repository, command: Command) -> None:
    """The archive on the branch sitegen-ledger counts for both sides: its addresses are named, and
    none is missing."""
    words.git("branch", "sitegen-ledger")
    words.git("rm", "--quiet", "words/archive.jsonl")
    words.commit({})
    text = glossary(ATen="See [Kernel](#kernel).", Kernel="A loop, no more than that, and no less.")
    words.commit({"words/library/1.2/GLOSSARY.md": text})
    report = reported(command, "words", status=1)
    assert "Shown at `/term/kernel/`." in report
    assert "has lost" not in report


# A release that is new.


def test_new_release_is_compared_with_the_one_before(words: Repository, command: Command) -> None:
    """The report has the terms that it adds, rewords and removes, with the changed words and their
    locations."""
    text = glossary(
        ATen="The tensor library of it all.",
        Kernel="What runs on a chip, once for each element.",
        Loop="No.",
    )
    words.commit({"words/library/1.2/GLOSSARY.md": text})
    report = reported(command, "words", status=1)
    counts = "3 terms removed, 1 reworded, 1 added"
    assert report.startswith(
        f"## Glossary: a build would be refused; {counts}\n\n### A build would be refused\n"
    )
    assert "### library 1.2, which is new, compared with 1.1\n" in report
    assert "**Loop** · `words/library/1.2/GLOSSARY.md:11`\n\n> No.\n" in report
    assert "> What runs on a <del>device,</del> <ins>chip,</ins> once for each element.\n" in report
    assert (
        "**Leaf node** · `words/library/1.1/nodes.md:3`\n\n> Where nothing grows any more.\n"
        in report
    )
    assert "ATen" not in report
    assert "manual" not in report


def test_addresses_and_references_are_told(words: Repository, command: Command) -> None:
    """The report has the published addresses of changed terms, and the terms that refer to them."""
    text = glossary(ATen="See [Kernel](#kernel).", Kernel="A loop, no more than that, and no less.")
    words.commit({"words/library/1.2/GLOSSARY.md": text})
    report = reported(command, "words", status=1)
    assert "Referred to by ATen.  \nShown at `/term/kernel/`.\n" in report
    kept = "The last definition stays at `/term/leaf-node/`, with a note that it was removed.\n"
    assert kept in report


def test_declared_rename_is_one(words: Repository, command: Command) -> None:
    """With a [[rename]] the term and its address continue under the new name."""
    write(Path("words"), {"library/1.1/nodes.md": ""})
    rename = '[[rename]]\nsource = "library"\nfrom = "Kernel"\nto = "Kern"\nrelease = "1.2"\n'
    text = glossary(
        ATen="The tensor library of it all.",
        Kern="What runs on a device.",
        Volume="A disk that is not there.",
    )
    words.commit(
        {"words/site.toml": FILES["site.toml"] + rename, "words/library/1.2/GLOSSARY.md": text}
    )
    report = reported(command, "words", status=1)
    assert (
        "#### Renamed\n\n**Kern** · formerly Kernel · reworded · "
        "`words/library/1.2/GLOSSARY.md:7`\n" in report
    )
    assert "Shown at `/term/kernel/`." in report


def test_likely_rename_comes_with_lines_to_paste(words: Repository, command: Command) -> None:
    """A possible rename is a guess with lines to confirm and to deny it."""
    text = glossary(Kern="What runs on a device, once for each of the elements.")
    words.commit({"words/library/1.2/GLOSSARY.md": text})
    report = reported(command, "words", status=1)
    assert (
        "**Kernel** may now be **Kern**: 80% of the words of their definitions are the same."
        in report
    )
    assert (
        '[[rename]]\nsource = "library"\nfrom = "Kernel"\nto = "Kern"\nrelease = "1.2"\n```'
        in report
    )
    assert '[[distinct]]\nnames = ["Kernel", "Kern"]\nsource = "library"\n```' in report


def test_term_of_another_source_is_no_new_name(project: Repository, command: Command) -> None:
    """A removed term is not said to be renamed if only another source has a name like its own."""
    tables = '[[source]]\nid = "a"\nfolder = "a"\n\n[[source]]\nid = "b"\nfolder = "b"\n'
    loop = "It goes round."
    project.commit(
        {
            "site.toml": tables,
            "a/1.0/GLOSSARY.md": glossary(Nodes="Machines that run.", Loop=loop),
            "b/1.0/GLOSSARY.md": glossary(Node="A machine of a cluster."),
        }
    )
    project.commit({"a/1.1/GLOSSARY.md": glossary(Loop=loop)})
    report = reported(command)
    assert "#### Removed\n\n**Nodes**" in report
    assert "Perhaps renamed" not in report


def test_two_new_releases_are_each_compared_with_the_one_before(
    words: Repository, command: Command
) -> None:
    """Each new release is compared with the one before; the newest is first."""
    words.commit({f"words/library/1.{n}/GLOSSARY.md": glossary(ATen="A" * n) for n in (2, 3)})
    report = reported(command, "words", status=1)
    assert [line for line in report.splitlines() if ", which is new" in line] == [
        "### library 1.3, which is new, compared with 1.2",
        "### library 1.2, which is new, compared with 1.1",
    ]


# What was there before.


def test_edited_release_keeps_its_words(words: Repository, command: Command) -> None:
    """An edit of an old release is reported: its published words stay."""
    text = FILES["library/1.0/GLOSSARY.md"].replace("A tensor library", "Some tensor library")
    words.commit({"words/library/1.0/GLOSSARY.md": text})
    report = reported(command, "words")
    assert "### library 1.0, which is edited\n" in report
    assert "### Published words stay\n" in report
    assert "differs from what was published (ATen)" in report


def test_what_was_edited_alike_counts_once(words: Repository, command: Command) -> None:
    """The same edit in every release is one reworded term in the summary."""
    edited = {
        name: text.replace("runs on a device", "runs on a chip") for name, text in FILES.items()
    }
    words.commit(
        {
            f"words/{name}": edited[name]
            for name in ("library/1.0/GLOSSARY.md", "library/1.1/GLOSSARY.md")
        }
    )
    report = reported(command, "words")
    assert report.startswith("## Glossary: 1 term reworded\n\n### Published words stay\n")
    assert "### library 1.1, which is edited\n" in report
    assert "### library 1.0, which is edited\n" in report


def test_withdrawn_release_is_told(words: Repository, command: Command) -> None:
    """A deleted release is named, with what becomes of its pages."""
    words.git("rm", "-r", "--quiet", "words/manual/2.0")
    words.commit({"words/manual/3.0/GLOSSARY.md": FILES["manual/2.0/GLOSSARY.md"]})
    report = reported(command, "words")
    assert (
        "- manual 2.0 (manual/2.0): not read now; the published words are shown\n"
        in report.replace("\\", "")
    )


def test_deleted_glossary_is_told(project: Repository, command: Command) -> None:
    """A change that deletes the glossary is reported, with status 1."""
    project.commit({"words/1.0/GLOSSARY.md": glossary(Volume="How loud it is.")})
    project.git("rm", "-r", "--quiet", "words")
    project.commit({"words/README.txt": ""})
    report = reported(command, "words", status=1)
    assert report.startswith("## Glossary: no files any more: glossary\n")
    assert "- `words/1.0/GLOSSARY.md`\n" in report
    assert "\nThe published pages stay. If the glossary is elsewhere now, name the place" in report


def test_releases_of_a_dropped_source_are_withdrawn(words: Repository, command: Command) -> None:
    """Releases of a dropped source are left out, and their pages stay."""
    words.commit({"words/site.toml": SITE + LIBRARY})
    report = reported(command, "words", status=1)
    assert "- manual 2.0: left out by site.toml; the published pages stay" in report.replace(
        "\\", ""
    )


def test_archive_that_forgets_is_told(words: Repository, command: Command) -> None:
    """A change that removes lines from the archive, or damages it, is reported with status 1."""
    archive = Path("words/archive.jsonl").read_text()
    lines = archive.splitlines(keepends=True)
    less = "".join(line for line in lines if '"/term/widget/"' not in line)
    words.commit({"words/archive.jsonl": less})
    report = reported(command, "words", status=1)
    assert "### The archive has lost lines\n" in report
    assert "`/term/widget/`" in report
    words.commit({"words/archive.jsonl": archive.replace("Widget", "Gadget")})
    assert "HEAD:words/archive.jsonl:" in reported(command, "words", status=1)


def test_lines_that_no_build_writes_are_told(words: Repository, command: Command) -> None:
    """A change that adds an address to the archive is reported with status 1."""
    path = Path("words/archive.jsonl")
    forged = line_of(ArchivedPage(address="term/forged/", name="Forged"))
    lines = sorted([*path.read_text().splitlines(), forged])
    words.commit({str(path): "".join(f"{line}\n" for line in lines)})
    report = reported(command, "words", status=1)
    assert "### Leave the archive out of this change\n\n1 line of it would not be written" in report


def test_the_first_publication_brings_the_archive(project: Repository, command: Command) -> None:
    """A change that publishes for the first time adds the archive, and is not refused for it."""
    project.release("v1.0", glossary(ATen="A tensor library."))
    assert command("init").status == 0
    assert command("build").status == 0
    project.commit({})
    assert Path("archive.jsonl").exists()
    assert reported(command).startswith("## Glossary: no term changes\n")


def test_change_of_something_else(words: Repository, command: Command) -> None:
    """A change outside the glossary is one line; a change of formatting rewords nothing."""
    words.commit({"README.md": "Hello.\n"})
    assert reported(command, "words").startswith("## Glossary: no term changes\n")
    text = FILES["library/1.1/GLOSSARY.md"].replace("tensor library", "*tensor* library")
    words.commit({"words/library/1.1/GLOSSARY.md": text})
    assert "Only formatted otherwise, with the same words: ATen.\n" in reported(command, "words")


# Where glossaries are kept.


def test_glossary_in_git_is_compared_as_it_was_committed(
    project: Repository, command: Command
) -> None:
    """A source with the repository's tags is compared by its unreleased text."""
    project.release("v1.0", ONE)
    command("init", "--host", "none")
    project.commit({})
    project.commit({"GLOSSARY.md": ONE.replace("on a device", "on a chip")})
    Path("GLOSSARY.md").write_text("What is not committed does not count.")
    before = everything(project.path)
    report = reported(command, change="v1.0..HEAD")
    assert "### project\n\n#### Reworded\n\n**Kernel** · `GLOSSARY.md:7`\n" in report
    assert everything(project.path) == before


def test_source_in_git_with_another_id_keeps_its_addresses(
    project: Repository, command: Command
) -> None:
    """Where only the id of a source was changed, also with an edit of its file, the report begins
    with the line that a build says, and its terms are not new."""
    project.release("v1.0", ONE)
    settings = '[[source]]\nid = "act"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    project.commit({"site.toml": settings, ".gitignore": "site/\n"})
    assert command("build").status == 0
    project.commit({})
    edited = ONE.replace("on a device", "on a chip")
    project.commit({"site.toml": settings.replace("act", "other"), "GLOSSARY.md": edited})
    report = reported(command)
    assert report.startswith(
        "## Glossary: 1 term reworded\n\n### A build would say\n\n- the source act"
    )
    assert 'formerly = "act" in its ' in report
    assert "no files" not in report
    assert "formerly" in command("build").out


def test_a_source_with_a_former_id_is_compared_before_anything_is_published(
    project: Repository, command: Command
) -> None:
    """A source whose id and file name were changed is no new one if it says its former id, also
    without an archive."""
    settings = '[[source]]\nid = "act"\ngit = "."\npaths = ["{name}"]\n'
    project.commit({"site.toml": settings.replace("{name}", "GLOSSARY.md"), "GLOSSARY.md": ONE})
    settings = settings.replace('"act"', '"other"\nformerly = "act"').replace("{name}", "WORDS.md")
    project.commit({"site.toml": settings, "WORDS.md": ONE, "GLOSSARY.md": None})
    assert reported(command).startswith("## Glossary: no term changes")
    project.commit({"site.toml": settings.replace('formerly = "act"', "")})
    report = reported(command, change="HEAD~2..HEAD", status=1)
    assert "has another id now, add `formerly` with the former one." in report


def test_source_in_git_that_no_longer_reads_the_glossary_is_refused(
    project: Repository, command: Command
) -> None:
    """The report on a site.toml that reads another file of the same tags begins with the refusal of
    a build."""
    other = glossary(**{f"Word{number}": f"Meaning {number}." for number in range(9)})
    project.commit({"OTHER.md": other})
    project.release("v1.0", ONE)
    project.release("v1.1", ONE)
    settings = '[[source]]\nid = "act"\ngit = "."\npaths = ["GLOSSARY.md"]\ntags = ["v1.0"]\n'
    project.commit({"site.toml": settings, ".gitignore": "site/\n"})
    assert command("build").status == 0
    project.commit({})
    changed = settings.replace("GLOSSARY", "OTHER").replace("v1.0", "v1.1")
    project.commit({"site.toml": changed})
    report = reported(command, status=1)
    assert report.startswith("## Glossary: a build would be refused; ")
    assert "[[continues]]" in report


def test_a_theme_is_no_release(project: Repository, command: Command) -> None:
    """The pages of a site are no release of its glossary."""
    project.commit(
        {
            "site.toml": '[theme]\npages = "pages"\n',
            "1.0/words.md": ONE,
            "pages/a.md": "# A\n\n## B\n\nC.\n",
        }
    )
    project.commit({"pages/a.md": "# A\n\n## B\n\nC, and D.\n"})
    assert "reworded" not in reported(command).lower()


def test_releases_before_site_toml_are_read_with_the_present_one(
    project: Repository, command: Command
) -> None:
    """Two releases that are older than site.toml are compared by its sources, not by every folder
    with documents."""
    project.commit({"lib/README.md": "# Notes\n\n## Loop\n\nIt repeats.\n"})
    project.release("v1.0", ONE)
    project.commit({"lib/README.md": "# Notes\n\n## Loop\n\nIt repeats often.\n"})
    project.release("v1.1", ONE.replace("on a device", "on a chip"))
    command("init", "--host", "none")
    report = reported(command, change="v1.0..v1.1")
    assert "**Kernel** · `GLOSSARY.md:7`" in report
    assert "lib" not in report


@pytest.mark.parametrize(
    ("toml", "path"),
    [
        ('[[source]]\nid = "page"\nfile = "page.md"\n', "docs/page.md"),
        ('[[source]]\nid = "page"\nfiles = { "1.0" = "page.md" }\n', "docs/page.md"),
        ('[[source]]\nid = "page"\nfiles = { "1.0" = "terms" }\n', "docs/terms/page.md"),
        ('[[source]]\nid = "page"\nfolder = "all"\n', "docs/all/1.0/a/page.md"),
        ('[[source]]\nid = "page"\ngit = ".."\npaths = "docs/*.md"\n', "docs/page.md"),
        ("", "docs/page.md"),
        # What cannot be translated, or not be read, is reported by a build alone.
        (
            '[[source]]\nid = "page"\nfile = "page.md"\n'
            '[[source]]\nid = "other"\ngit = "missing"\npaths = "a.md"\n'
            '[[translation]]\nof = "page"\nlanguage = "fr"\n'
            '[[translation]]\nof = "other"\nlanguage = "fr"\n',
            "docs/page.md",
        ),
    ],
)
def test_every_way_of_keeping_files_is_read(
    project: Repository, command: Command, toml: str, path: str
) -> None:
    """Single files, listed files and folders, releases in folders, and files without any
    site.toml."""
    project.commit(
        {"docs/README.md": "Not a glossary.\n", path: ONE}
        | ({"docs/site.toml": toml} if toml else {})
    )
    project.commit({path: ONE.replace("on a device", "on a chip")})
    report = reported(command, "docs")
    assert report.startswith("## Glossary: 1 term reworded\n")
    assert f"**Kernel** · `{path}:7`\n" in report


def test_what_is_kept_elsewhere_is_named(project: Repository, command: Command) -> None:
    """Other repositories are not compared, and the report says so."""
    other = (
        '[[source]]\nid = "other"\ntitle = "The other"\ngit = "https://example.org/x.git"\n'
        'paths = "a.md"\n'
    )
    project.commit(
        {"site.toml": '[[source]]\nid = "page"\nfile = "page.md"\n' + other, "page.md": ONE}
    )
    project.commit({"page.md": ONE.replace("on a device", "on a chip")})
    assert "Kept elsewhere, and not compared: The other.\n" in reported(command)


def test_first_glossary_is_all_new(project: Repository, command: Command) -> None:
    """A change that adds the glossary or a source adds every term."""
    project.commit({"README.md": "Hello.\n"})
    project.commit({"words/1.0/GLOSSARY.md": ONE})
    assert reported(command, "words").startswith(
        "## Glossary: new, with 3 terms\n\n### glossary 1.0, which is new\n"
    )


CONFLICT = "\n<<<<<<< HEAD\nLoop: It goes round.\n=======\nLoop: It repeats.\n>>>>>>> topic\n"


@pytest.mark.parametrize(
    ("name", "before", "after", "found"),
    [
        ("page.md", ONE, ONE + CONFLICT, "`page.md:16`: a merge conflict that was committed"),
        (
            "page.yaml",
            "ATen: A.\nLoop: B.\n",
            "ATen: A." + CONFLICT,
            "`page.yaml:2`: a merge conflict",
        ),
        (
            "page.yaml",
            "ATen: A.\nLoop: B.\n",
            "ATen: A.\n\tLoop: B.\n",
            "`page.yaml:2`: this is no YAML or JSON: found a tab",
        ),
        ("page.md", ONE, "\0A", "`page.md`: "),
    ],
)
def test_file_that_cannot_be_read_any_more(
    project: Repository, command: Command, name: str, before: str, after: str, found: str
) -> None:
    """The report names the place and the mistake, with status 1; no term counts as removed."""
    project.commit({"site.toml": f'[[source]]\nid = "page"\nfile = "{name}"\n', name: before})
    project.commit({name: after})
    report = reported(command, status=1)
    assert report.startswith("## Glossary: page cannot be read\n")
    assert found in report
    assert "Removed" not in report
    project.commit({name: after, "README.md": "Something else."})
    reported(command)


def test_release_in_another_file_that_cannot_be_read(words: Repository, command: Command) -> None:
    """A release of which no term can be read is refused, also if its file has another name."""
    words.commit({"words/manual/2.1/words.md": "\0A"})
    report = reported(command, "words", status=1)
    assert report.startswith("## Glossary: manual cannot be read\n")


def test_file_that_never_had_terms_stops_nothing(words: Repository, command: Command) -> None:
    """A new file without terms is named, and the change is still accepted."""
    words.commit({"words/library/1.0/notes.md": "Remember the milk.\n"})
    assert "- `words/library/1.0/notes.md`: no glossary recognized here" in reported(
        command, "words"
    )


def test_entry_that_became_a_remark_is_named(project: Repository, command: Command) -> None:
    """A term whose definition is still there, but not as a definition, is not passed over."""
    text = "# Glossary\n\n" + "".join(
        f"**{name}**: {name} is a word for a part of it.\n\n" for name in "ABCDEFG"
    )
    project.commit({"site.toml": '[[source]]\nid = "page"\nfile = "page.md"\n', "page.md": text})
    project.commit({"page.md": text.replace("**C**:", "C:")})
    assert (
        "- `page.md`: “C” is in the text, but no longer as a term with its definition"
        in reported(command)
    )


def test_name_that_became_a_part_of_its_new_name(project: Repository, command: Command) -> None:
    """A renamed term is not said to be unread because its new name has the old one; its words are
    no new ones."""
    text = "# Glossary\n\n" + "".join(
        f"**{name}**: {name} is a word for a part of it.\n\n" for name in "ABCDEFG"
    )
    project.commit({"site.toml": '[[source]]\nid = "page"\nfile = "page.md"\n', "page.md": text})
    assert command("build", "--quiet").status == 0
    project.commit({"archive.jsonl": Path("archive.jsonl").read_text()})
    rename = '[[rename]]\nsource = "page"\nfrom = "C"\nto = "Long C"\n'
    project.commit(
        {
            "site.toml": Path("site.toml").read_text() + rename,
            "page.md": text.replace("**C**", "**Long C**"),
        }
    )
    report = reported(command)
    assert "**Long C** · formerly C" in report
    assert "Not read" not in report
    assert "Shown at `/term/c/`.\n" in report


@pytest.mark.parametrize(
    ("toml", "mended"),
    [
        ('git = "."\npaths = ["words.md"]', 'git = "."\npaths = ["docs/terms.md", "words.md"]'),
        ('file = "words.md"', 'file = "docs/terms.md"'),
    ],
)
def test_glossary_that_was_moved(
    project: Repository, command: Command, toml: str, mended: str
) -> None:
    """A moved glossary is not found any more, until site.toml names the new place."""
    settings = f'[[source]]\nid = "page"\n{toml}\n'
    project.commit({"site.toml": settings, "words.md": ONE})
    project.commit({"words.md": None, "docs/terms.md": ONE + "\n"})
    report = reported(command, status=1)
    assert "### page: no files any more\n\n- `words.md`\n" in report
    project.commit({"site.toml": settings.replace(toml, mended)})
    assert reported(command, change="HEAD~2..HEAD").startswith("## Glossary: no term changes\n")


def test_address_that_was_never_published_is_not_lost(
    project: Repository, command: Command
) -> None:
    """An address that a build on a branch added and the next one dropped was never on the default
    branch."""
    project.commit({"site.toml": "", ".gitignore": "site/", "1.0/GLOSSARY.md": ONE})
    command("build")
    project.commit({})
    project.git("checkout", "--quiet", "-b", "topic")
    for text in (ONE + "## Fork\n\nA copy that goes its own way.\n", ONE):
        project.commit({"1.1/GLOSSARY.md": text})
        command("build")
        project.commit({})
    report = reported(command, change="HEAD~2..HEAD", status=1)
    assert "Fork" in report and "has lost lines" not in report


# Which change.


def test_three_dots_mean_since_the_two_parted(project: Repository, command: Command) -> None:
    """With three dots, later changes of main are not part of a topic's change; with two they
    are."""
    project.commit({"words/1.0/GLOSSARY.md": ONE})
    project.git("switch", "--quiet", "--create", "topic")
    project.commit({"words/1.1/GLOSSARY.md": ONE.replace("on a device", "on a chip")})
    project.git("switch", "--quiet", "main")
    project.commit({"words/1.0/GLOSSARY.md": ONE.replace("It goes round", "It goes up")})
    assert reported(command, "words", change="main...topic").startswith(
        "## Glossary: 1 term reworded\n"
    )
    assert "1.0, which is edited" in reported(command, "words", change="main..topic")


@pytest.mark.parametrize(
    "change", ["HEAD..nowhere", "HEAD..--output=x", "HEAD^{tree}..HEAD", "..HEAD^^^^^"]
)
def test_commit_that_is_not_there(project: Repository, command: Command, change: str) -> None:
    """An unknown commit is one line and status 2."""
    project.commit({"words/1.0/GLOSSARY.md": ONE})
    result = command("diff", change, "words")
    assert (result.status, result.out) == (2, "")
    assert "no such commit here" in result.err


def test_without_git(
    project: Repository, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without git installed, the message says so, and blames no commit."""
    project.commit({"GLOSSARY.md": ONE})
    monkeypatch.setenv("PATH", "/nonexistent")
    result = command("diff", "HEAD")
    assert result.status == 2 and "git cannot be started" in result.err


def test_nothing_to_compare(project: Repository, command: Command, tmp_path: Path) -> None:
    """Without a glossary, or outside of any repository, the message says so."""
    project.commit({"words/README.md": "Hello.\n"})
    assert (
        "no glossary was found on either side, in words"
        in command("diff", "HEAD..HEAD", "words").err
    )
    write(tmp_path / "outside")
    assert "no git repository here" in command("diff", "HEAD..HEAD", str(tmp_path / "outside")).err


def test_mistake_in_site_toml_is_told_with_its_commit(
    project: Repository, command: Command
) -> None:
    """A mistake in site.toml after the change is an error with its commit; one before it is not."""
    good = '[[source]]\nid = "page"\nfile = "page.md"\n'
    project.commit({"site.toml": "titel = 1\n", "page.md": ONE})
    project.commit({"site.toml": good})
    assert reported(command).startswith("## Glossary: no term changes\n")
    result = command("diff", "HEAD..HEAD^")
    assert (result.status, result.err.partition(": ")[0]) == (2, "HEAD^:site.toml:1")


# Text that means harm.


def test_hostile_text_is_only_text(project: Repository, command: Command) -> None:
    """Names, words, paths and releases in a report contain no mention and no markup."""
    hostile = "@ada #12 <b>x</b> `` ``` ![y](https://evil.example) | www.evil.example"
    others = "**Other**\n: Is here.\n\n**Third**\n: Is here too.\n"
    old = f"# Glossary\n\n**{hostile} old**\n: Some words, and {hostile}\n\n{others}"
    path = 'words/1.0 @ada "#12" `x`/GLOSSARY.md'
    project.commit({path: old})
    project.commit({path: old.replace(" old**", " new**").replace("Some words", "Such words")})
    page = lxml.html.fromstring(
        MarkdownIt("gfm-like", {"linkify": False}).render(reported(command, "words"))
    )
    assert {element.tag for element in page.iter() if isinstance(element.tag, str)} <= TAGS
    texts = page.xpath("//text()[not(ancestor::code)]")
    assert len(texts) > 10
    assert [text for text in texts if re.search(r"@\w|#\d|https?://|www\.", text)] == []
    assert "@\u200bada #\u200b12" in "".join(texts)


TAGS = set("div h2 h3 h4 p strong code pre blockquote del ins".split())


def test_very_long_texts_are_shortened(project: Repository, command: Command) -> None:
    """Unchanged text is shortened around the differences, and long definitions to their
    beginning."""
    long = " ".join(f"word{number}" for number in range(500))
    project.commit({"words/1.0/GLOSSARY.md": glossary(Anchor=f"{long} end", Boat="Is here.")})
    new = glossary(Anchor=f"{long} END of it all", Boat="Is here.", Deck=long)
    project.commit({"words/1.0/GLOSSARY.md": new})
    report = reported(command, "words")
    assert len(report) < 2_000
    assert "word11 … word489" in report


def test_long_lists_are_cut() -> None:
    """Lines beyond ten under a heading are counted."""
    found = Review(
        commits=("1" * 40, "2" * 40),
        comparisons=(),
        new=(),
        deleted=(),
        elsewhere=(),
        notes=(),
        differing=(),
        forgotten=tuple(map(str, range(12))),
        unbuilt_lines=0,
        refusal="",
    )
    assert markdown(found).endswith("- `9`\n\n… and 2 more.\n")


def test_very_many_terms_are_counted(project: Repository, command: Command) -> None:
    """Terms beyond fifty under a heading are counted."""
    project.commit({"words/1.0/GLOSSARY.md": ONE})
    many = {f"Thing {number}": "It is." for number in range(60)}
    project.commit(
        {
            "words/1.0/GLOSSARY.md": ONE
            + "".join(f"## {name}\n\n{text}\n\n" for name, text in many.items())
        }
    )
    assert "… and 10 more.\n" in reported(command, "words")


@pytest.mark.parametrize(
    ("releases", "title"),
    [
        ('versions = "docs/{version}/glossary.md"', "### x 1.1, which is edited"),
        ('paths = "docs/1.1/glossary.md"\nby = "month"', "### x\n"),
        ('paths = "docs/1.1/glossary.md"\nbranches = "v*"', "### x\n"),
    ],
)
def test_releases_that_are_no_tags(
    project: Repository, command: Command, releases: str, title: str
) -> None:
    """A change is compared where releases are folders of a repository, dated states or branches."""
    settings = f'[[source]]\nid = "x"\ngit = "."\n{releases}\n'
    files = {f"docs/{version}/glossary.md": ONE for version in ("1.0", "1.1")}
    project.commit({"site.toml": settings, **files})
    project.commit({"docs/1.1/glossary.md": ONE.replace("ATen", "Torch")})
    report = reported(command)
    assert title in report
    assert "**Torch**" in report and "1.0" not in report
