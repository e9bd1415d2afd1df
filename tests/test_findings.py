"""`check` on a built site that is broken in one place: it names that place and no other."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pages_server import resolve
from repositories import Repository

from sitegen.commands import main
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.permanence.archive_lines import DamagedArchiveError, parse
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones
from sitegen.sources.projects import Project
from sitegen.tools.findings import Checked, check_built, check_sources

SETTINGS = """
[site]
title = "Storage"
base_url = "https://example.org/storage/"

[[source]]
id = "manual"
folder = "manual"
"""

VOLUME = "Space that can be written to. An `image` is taken of it."
IMAGE = "A named pointer to the state of a volume at one moment, from which it can be restored."


def glossary(terms: Mapping[str, str]) -> str:
    return "# Glossary\n\n" + "".join(
        f"## {name}\n\n{definition}\n\n" for name, definition in terms.items()
    )


RELEASES = {
    "1.0": glossary({"Volume": VOLUME, "Image": IMAGE}),
    "1.1": glossary({"Volume": VOLUME, "Snapshot": IMAGE}),
    "1.2": glossary({"Volume": VOLUME + " It has a size.", "Snapshot": IMAGE}),
}


def quiet(doing: str) -> None:
    pass


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a glossary, `words`, its archive, and its `site`."""
    folder = tmp_path_factory.mktemp("original")
    for release, text in RELEASES.items():
        (folder / "words/manual" / release).mkdir(parents=True)
        (folder / "words/manual" / release / "GLOSSARY.md").write_text(text)
    (folder / "words/site.toml").write_text(SETTINGS)
    archive_store = ArchiveStore(path=folder / "words/archive.jsonl")
    build(
        folder / "words",
        folder / "site",
        notify=quiet,
        clones=Clones(folder=folder),
        archive_store=archive_store,
    )
    return folder


@pytest.fixture
def here(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as the current folder."""
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(checked: Checked) -> list[str]:
    return [
        f"{one.problem.kind} {one.problem.path}:{one.problem.line}: {one.problem.found}"
        for one in checked.findings
    ]


def on_site() -> list[str]:
    """Returns the findings on the site in the folder `site`."""
    return found(check_built(Path("site"), notify=quiet))


def in_memory() -> list[str]:
    """Returns the findings in the folder `words` and its site in memory."""
    return found(check_sources(Project(folder=Path("words")), notify=quiet))


def change(path: str, old: str, new: str, *, times: int = 1) -> None:
    """Replaces a text in a file, which must contain it."""
    text = Path(path).read_text()
    assert text.count(old) >= times
    Path(path).write_text(text.replace(old, new, times))


def line_of(path: str, part: str) -> int:
    lines = Path(path).read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if part in line)


def archive_line(address: str, path: str = "site/archive.jsonl") -> int:
    return line_of(path, f'"{address}"')


def test_nothing_is_found_on_a_site_as_it_was_built(here: Path) -> None:
    """A fresh build passes every check: on disk and in memory."""
    assert (on_site(), in_memory()) == ([], [])


def test_pages_of_a_theme_are_checked_in_memory(here: Path) -> None:
    """The Markdown pages and the templates of [theme] are part of the site that is checked."""
    before = check_sources(Project(folder=Path("words")), notify=quiet)
    (here / "words/pages").mkdir()
    (here / "words/pages/help.md").write_text("# Help\n\nSee [below](#nothing).\n")
    with Path("words/site.toml").open("a") as settings:
        settings.write('[theme]\npages = "pages"\n')
    after = check_sources(Project(folder=Path("words")), notify=quiet)
    assert after.pages == before.pages + 1
    [line] = [line for line in found(after) if "help" in line]
    assert re.fullmatch(
        r"link pages/help/index.html:\d+: links to #nothing, "
        r"and nothing there has the id “nothing”",
        line,
    )


def test_what_was_looked_at_is_counted(here: Path) -> None:
    """Every page, link and published address is checked, on disk and in memory."""
    disk = check_built(Path("site"), notify=quiet)
    memory = check_sources(Project(folder=Path("words")), notify=quiet)
    assert disk.pages == len(list(Path("site").rglob("*.html"))) == memory.pages
    assert disk.addresses == memory.addresses > 5
    assert disk.links == memory.links > disk.pages


def test_every_published_address_is_answered_at_once(here: Path) -> None:
    """On GitHub Pages, below the site's path, each address of the archive is answered without a
    redirect."""
    archive = parse(Path("site/archive.jsonl").read_text(), "archive.jsonl")
    addresses = [one for one in archive.by_address if one.startswith("/")]
    assert len(addresses) > 5
    assert {
        resolve(Path("site"), f"/storage{address}", "/storage/")[0] for address in addresses
    } == {200}


# Sabotage.


def test_removed_page_is_missed(here: Path) -> None:
    """A missing page is named by the archive and by every link to it."""
    Path("site/term/volume/index.html").unlink()
    result = on_site()
    assert "address site/archive.jsonl:0: /term/volume/ was published" in result[0]
    assert {one.split()[0] for one in result} == {"address", "link"}


def test_removed_anchor_is_missed(here: Path) -> None:
    """A missing id is named by every link to it."""
    change("site/term/volume/index.html", 'id="r1.0"', "")
    result = on_site()
    assert result and [one for one in result if "#r1.0" not in one] == []


def test_edited_archive_of_a_site_is_noticed(here: Path) -> None:
    """Only the changed line of the archive on the site is reported."""
    number = archive_line("/term/image/", "site/archive.jsonl")
    change("site/archive.jsonl", '"/term/image/"', '"/term/picture/"')
    assert [one for one in on_site() if f"archive.jsonl:{number}: the line was changed" in one]


def test_edited_archive_beside_the_sources_is_refused(here: Path) -> None:
    """Nothing is checked with a damaged archive: the error names its line."""
    number = archive_line("/term/image/", "words/archive.jsonl")
    change("words/archive.jsonl", '"/term/image/"', '"/term/picture/"')
    with pytest.raises(DamagedArchiveError, match=f"words/archive.jsonl:{number}: .*changed"):
        in_memory()


def test_edited_release_is_told(here: Path) -> None:
    """Words of a closed release that differ from what was published are a finding."""
    path = Path("words/manual/1.0/GLOSSARY.md")
    path.write_text(path.read_text().replace("Space that", "A space that"))
    [result] = in_memory()
    assert "1 term differs from what was published (Volume)" in result


# Links.


@pytest.mark.parametrize(
    ("url", "result"),
    [
        ("../nowhere/index.html", "where nothing is"),
        ("../../Term/volume/index.html", "where nothing is"),
        ("../volume/#r9.9", "and nothing there has the id “r9.9”"),
        ("#gone", "and nothing there has the id “gone”"),
        ("/term/volume/", "where nothing is"),
        ("https://example.org/storage/term/gone/", "where nothing is"),
        ("http://[half/", "where nothing is"),
    ],
)
def test_dead_link_is_told_with_its_line(here: Path, url: str, result: str) -> None:
    """A broken link of the published site is reported with the page, the line and the reason."""
    change("site/term/image/index.html", "</main>", f'\n<p><a href="{url}">a link</a></p></main>')
    number = line_of("site/term/image/index.html", f'href="{url}"')
    assert on_site() == [f"link site/term/image/index.html:{number}: links to {url}, {result}"]


@pytest.mark.parametrize(
    "url",
    [
        "../volume",
        "../volume/",
        "../volume/index",
        "../volume/?from=here#r1.0",
        "",
        "#",
        "#top",
        "/storage/",
        "/storage",
        "https://example.org/storage/term/volume/#r1.0",
        "https://example.org/another/project/",
        "https://elsewhere.example/term/gone/",
        "mailto:keeper@example.org",
        "data:,",
    ],
)
def test_live_link_is_no_finding(here: Path, url: str) -> None:
    """Links that GitHub Pages answers, also after a redirect, and links to other sites are not
    reported."""
    change("site/term/image/index.html", "</main>", f'<p><a href="{url}">a link</a></p></main>')
    assert on_site() == []


def test_pictures_scripts_and_forms_are_looked_at(here: Path) -> None:
    """Files that a page loads, images in several sizes and targets of forms are checked like
    links."""
    loaded = (
        '<script src="a.js"></script><img src="b.png" srcset="c.png 2x,\n d.png 3x"><form '
        'action="e/"></form>'
    )
    change("site/term/image/index.html", "</main>", f"{loaded}</main>")
    assert [one.partition("links to ")[2][:5] for one in on_site()] == [
        "a.js,",
        "b.png",
        "c.png",
        "d.png",
        "e/, w",
    ]


def test_page_for_lost_addresses_is_shown_anywhere(here: Path) -> None:
    """On the 404 page only links that work at any depth are accepted."""
    change("site/404.html", "</main>", '<a href="index.html">home</a></main>')
    [result] = on_site()
    assert "links to index.html, where nothing is" in result


def test_links_are_not_followed(here: Path) -> None:
    """Links, pipes and pages that cannot be read are passed over."""
    Path("site/hosts.html").symlink_to("/etc/hostname")
    os.mkfifo("site/pipe.html")
    assert on_site() == []


# The sources.


def test_sources_are_checked_with_the_site_they_give(here: Path) -> None:
    """Dangling references, suggestions and other problems are findings of their own kinds."""
    Path("words/manual/1.2/GLOSSARY.md").write_text(
        glossary(
            {
                "Volume": VOLUME,
                "Capture": "A name for the state of a volume at one moment, to which it can be "
                "put back.",
                "Image": "Another thing.",
            }
        )
    )
    Path("words/manual/1.1/odd.md").write_text("")
    kinds = {
        one.problem.kind: one
        for one in check_sources(Project(folder=Path("words")), notify=quiet).findings
    }
    assert {"no-terms", "suggestion"} <= kinds.keys()
    assert kinds["no-terms"].problem.path == "words/manual/1.1/odd.md"
    assert "    [[rename]]" in kinds["suggestion"].more


def test_dangling_reference_is_told_where_it_stands(here: Path) -> None:
    """A reference to an undefined term is reported with the line of its entry."""
    Path("words/archive.jsonl").unlink()
    Path("words/manual/1.2/GLOSSARY.md").unlink()
    Path("words/manual/1.2/glossary.rst").write_text(
        ".. glossary::\n\n   Volume\n      Space, kept in a :term:`shadow`.\n\n   Snapshot\n      "
        + IMAGE
        + "\n"
    )
    assert in_memory() == [
        "reference words/manual/1.2/glossary.rst:3: refers to “shadow”, which no source defines",
    ]


def test_site_among_the_releases_is_none_of_them(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site built into the folder of its sources is not read as a release."""
    shutil.move("site", "words/manual/site")
    Path("words/site.toml").unlink()
    Path("words/archive.jsonl").unlink()
    result = found(check_sources(Project(folder=Path("words/manual")), notify=quiet))
    assert result == []


# The command.


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sitegen", "check", *arguments])
        status = main.run()
        result = capfd.readouterr()
        return status, result.out, result.err

    return run


def test_command_says_that_nothing_was_found(run: Run) -> None:
    """Without findings the status is 0, and one line counts what was checked."""
    for arguments in (["words"], ["--site", "site"]):
        status, out, err = run(*arguments)
        assert (status, err) == (0, "")
        assert re.fullmatch(
            r"nothing found in \d+ pages, \d+ links and \d+ published addresses\n", out
        )


def test_command_lists_findings_by_kind(run: Run) -> None:
    """The status is 1, with the findings below the title of their kind, and their number last."""
    Path("site/term/volume/index.html").unlink()
    status, out, err = run("--site", "site")
    titles = [line for line in out.splitlines() if not line.startswith(" ")]
    assert (status, err) == (1, "")
    assert [re.sub(r"\d+", "N", title) for title in titles] == [
        "Links that lead nowhere (N)",
        "Published addresses that are not kept (N)",
        "N findings in N pages, N links and N published addresses",
    ]


def test_command_gives_data(run: Run) -> None:
    """`--json` gives every finding as data on one line."""
    change("site/term/volume/index.html", 'id="r1.0"', "")
    status, out, _ = run("--site", "site", "--json")
    data = json.loads(out)
    assert status == 1
    first = data["findings"][0]
    assert (first["kind"], first["wanted"], first["terms"], first["more"]) == ("link", "", [], [])
    assert first["found"].endswith("#r1.0, and nothing there has the id “r1.0”")
    assert {data["pages"], data["links"], data["addresses"]}.isdisjoint({0})


def test_command_checks_what_a_repository_holds(run: Run) -> None:
    """The tags of a repository without a site.toml are checked, with places in it. Only
    suggestions end with status 3."""
    repository = Repository(Path("there"))
    repository.release("v1.0", glossary({"Volume": VOLUME, "Image": IMAGE}))
    repository.release(
        "v1.1", glossary({"Volume": VOLUME, "Capture": IMAGE.replace("restored", "put back")})
    )
    status, out, _ = run("there")
    assert status == 3
    assert re.findall(r"^  (\S+) “(\w+)” and “(\w+)” may be one term", out, re.M) == [
        ("v1.1:GLOSSARY.md:7:", "Image", "Capture")
    ]


def test_same_finding_at_several_places_is_one_line(run: Run) -> None:
    """A mistake that every release repeats is printed once, with the number of its places."""
    repository = Repository(Path("there"))
    text = glossary({"Volume": f"{VOLUME} See :term:`lop`.", "Image": IMAGE})  # in Markdown
    for tag in ("v1.0", "v1.1", "v1.2"):
        repository.release(tag, text.replace("## Image", f"<!-- {tag} -->\n\n## Image"))
    _, out, _ = run("there")
    assert out.count("is reStructuredText") == 1
    assert "(and at 2 more places, last v1.2:GLOSSARY.md:" in out


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["nowhere"], "nowhere: no such folder; name one that holds glossaries\n"),
        (
            ["--site", "nowhere"],
            "nowhere: there is no site here; build it first, or name its folder\n",
        ),
        (["--site", "words"], "words: there is no site here; build it first, or name its folder\n"),
    ],
)
def test_command_says_why_it_cannot(run: Run, arguments: list[str], result: str) -> None:
    """If there is nothing to check, the status is 2 with one line."""
    assert run(*arguments) == (2, "", result)


def test_check_writes_nothing(run: Run, here: Path) -> None:
    """Neither the sources nor the site change, and no folder is created."""
    before = {path: path.stat().st_mtime_ns for path in here.rglob("*")}
    run("words")
    run("--site", "site")
    assert {path: path.stat().st_mtime_ns for path in here.rglob("*")} == before
