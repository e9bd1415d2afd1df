"""A site beside other documentation: below a folder of a branch, with redirects from an earlier
glossary."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest
from commands import Command
from glossary_folder import FILES, write
from repositories import Repository

from sitegen.text.names import heading_id

WITH_REDIRECT = {
    **FILES,
    "site.toml": FILES["site.toml"] + '\n[[redirect]]\nfrom = ["glossary.html", "docs/words/"]\n',
}


@pytest.fixture
def pages(tmp_path: Path) -> Repository:
    """The repository in which a site is published, with documentation on its branch gh-pages."""
    other = Repository(tmp_path / "other")
    other.commit(
        {"index.html": "The documentation.", "CNAME": "docs.example.org\n", "old/page.html": "Old."}
    )
    other.git("branch", "--move", "gh-pages")
    other.git("config", "receive.denyCurrentBranch", "ignore")
    return other


def listed(repository: Repository) -> dict[str, str]:
    lines = repository.git("ls-tree", "-r", "gh-pages").splitlines()
    return {path: entry for entry, _, path in (line.partition("\t") for line in lines)}


def test_site_is_published_below_a_folder(
    tmp_path: Path, pages: Repository, command: Command
) -> None:
    """Other files on the branch are unchanged, and files that the site no longer has are removed
    from its folder."""
    project = Repository(tmp_path / "project")
    write(project.path / "words", WITH_REDIRECT)
    before = listed(pages)
    where = ("--remote", str(pages.path), "--prefix", "docs/glossary/")
    with pytest.MonkeyPatch.context() as there:
        there.chdir(project.path)
        for name, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org")):
            there.setenv(f"GIT_AUTHOR_{name}", value)
            there.setenv(f"GIT_COMMITTER_{name}", value)
        assert command("build", "words").status == 0
        assert "folder docs/glossary/: 6 terms" in command("publish", "words", *where).out
        first = listed(pages)
        assert {path: first[path] for path in before} == before
        assert {path.partition("/")[0] for path in first} == {"index.html", "CNAME", "old", "docs"}
        assert "docs/glossary/term/kernel/index.html" in first
        assert "docs/glossary/.nojekyll" not in first
        assert "unchanged" in command("publish", "words", *where).out
        refused = command("publish", "words", "--remote", str(pages.path))
        assert "holds another site below docs/glossary" in refused.err
        assert "--prefix" in refused.err


@pytest.mark.parametrize("prefix", ["../x", "a/.git", "a\\b"])
def test_folder_outside_of_the_branch_is_refused(
    prefix: str, tmp_path: Path, command: Command
) -> None:
    """A prefix names visible folders below the root."""
    project = Repository(tmp_path / "project")
    write(project.path / "words")
    with pytest.MonkeyPatch.context() as there:
        there.chdir(project.path)
        result = command("publish", "words", "--remote", str(project.path), "--prefix", prefix)
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "not a folder of a site" in result.err


def test_old_pages_lead_on(command: Command) -> None:
    """A redirect lists every term under its ids in Sphinx and Markdown, and leads to its page."""
    write(Path("words"), WITH_REDIRECT)
    assert command("build", "words").status == 0
    for path, root in (("glossary.html", "./"), ("docs/words/index.html", "../../")):
        page = lxml.html.fromstring(Path("site", path).read_text(encoding="utf-8"))
        [item] = page.xpath('//li[span[@id="term-Kernel"] and span[@id="kernel"]]')
        assert item.find("a").get("href") == f"{root}term/kernel/index.html"
        ids = [element.get("id") for element in page.iter() if element.get("id")]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "place", ["term/x.html", "index.html", "/glossary.html", "glossary.pdf", "../up.html"]
)
def test_old_page_is_no_page_of_ours(place: str, command: Command) -> None:
    """A redirect from a page of the site itself, or from no page, is refused with its line."""
    write(
        Path("words"),
        {**FILES, "site.toml": FILES["site.toml"] + f'\n[[redirect]]\nfrom = "{place}"\n'},
    )
    result = command("build", "words")
    assert result.status == 2
    assert "words/site.toml:" in result.err


def test_heading_ids_are_those_of_github() -> None:
    """Punctuation is removed, spaces become hyphens, and letters of any alphabet stay."""
    assert [heading_id(name) for name in ("C++", "Größe (SI)", "a_b c-d", "in-place")] == [
        "c",
        "größe-si",
        "a_b-c-d",
        "in-place",
    ]
