"""Addresses of tags and lines on forges."""

from __future__ import annotations

import pytest

from sitegen.config.forges import line_link, web_folder, web_of


@pytest.mark.parametrize(
    ("remote", "base"),
    [
        ("https://github.com/o/r.git", "https://github.com/o/r"),
        ("git@github.com:o/r.git", "https://github.com/o/r"),
        ("ssh://git@github.com:22/o/r", "https://github.com/o/r"),
        ("git://github.com/o/r/", "https://github.com/o/r"),
        ("https://token:x-oauth@GitHub.com/o/r", "https://github.com/o/r"),
        ("https://gitlab.com/group/sub/r.git", "https://gitlab.com/group/sub/r"),
        ("https://gitlab.example.org/g/r", "https://gitlab.example.org/g/r"),
    ],
)
def test_remotes_in_all_their_forms_are_recognized(remote: str, base: str) -> None:
    """A known host leads to the repository's pages in any protocol, and a password is dropped."""
    web = web_of(remote)
    assert web is not None
    assert web.base == base


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "../elsewhere",
        "https://example.org/o/r",
        "https://github.com/",
        "https://github.com:8080/o/r",
        "https://github.com/o/../../r",
        "https://github.com/o/r?x=1",
        'https://github.com/o/r"onclick="x',
        "javascript://github.com/%0aalert(1)",
        "https://github.com.example.org/o/r",
        "https://github.com/o/r\nx",
    ],
)
def test_anything_else_has_no_pages(remote: str) -> None:
    """An unknown host, or an unusual address, gives no link."""
    assert web_of(remote) is None


@pytest.mark.parametrize(
    ("remote", "tag", "line", "commit"),
    [
        (
            "https://github.com/o/r",
            "https://github.com/o/r/releases/tag/v1%2B2",
            "https://github.com/o/r/blob/v1%2B2/docs/a%20b%23.md?plain=1#L7",
            "https://github.com/o/r/blob/abc/docs/a%20b%23.md?plain=1#L7",
        ),
        (
            "https://gitlab.com/o/r",
            "https://gitlab.com/o/r/-/tags/v1%2B2",
            "https://gitlab.com/o/r/-/blob/v1%2B2/docs/a%20b%23.md?plain=1#L7",
            "https://gitlab.com/o/r/-/blob/abc/docs/a%20b%23.md?plain=1#L7",
        ),
        (
            "https://codeberg.org/o/r",
            "https://codeberg.org/o/r/src/tag/v1%2B2",
            "https://codeberg.org/o/r/src/tag/v1%2B2/docs/a%20b%23.md?display=source#L7",
            "https://codeberg.org/o/r/src/commit/abc/docs/a%20b%23.md?display=source#L7",
        ),
    ],
)
def test_every_forge_has_its_own_addresses(remote: str, tag: str, line: str, commit: str) -> None:
    """The addresses of a tag, a line at a tag and a line at a commit have the forge's form, all
    parts quoted."""
    web = web_of(remote)
    assert web is not None
    assert web.page("tag", "v1+2") == tag
    assert line_link(web.lines("tag", "v1+2"), path="docs/a b#.md", line=7) == line
    assert line_link(web.lines("commit", "abc"), path="docs/a b#.md", line=7) == commit


def test_braces_in_names_are_no_blanks_to_fill() -> None:
    """Braces in a tag or path are quoted and not taken for placeholders."""
    web = web_of("https://github.com/o/r")
    assert web is not None
    lines = web.lines("tag", "{path}{line}")
    link = line_link(lines, path="{line}", line=1)
    assert link == "https://github.com/o/r/blob/%7Bpath%7D%7Bline%7D/%7Bline%7D?plain=1#L1"


def test_without_a_forge_there_is_no_line_link() -> None:
    """Without an address pattern there is no address."""
    assert line_link("", path="a.md", line=1) == ""


@pytest.mark.parametrize(
    ("address", "edit", "report"),
    [
        (
            "https://github.com/o/r",
            "https://github.com/o/r/edit/HEAD/a%20b.md",
            "https://github.com/o/r/issues/new?title=C%26%7Bbody%7D&body=1%0A2",
        ),
        (
            "https://github.com/o/r/tree/main/docs/words",
            "https://github.com/o/r/edit/main/docs/words/a%20b.md",
            "https://github.com/o/r/issues/new?title=C%26%7Bbody%7D&body=1%0A2",
        ),
        (
            "https://gitlab.com/group/sub/r/-/tree/next",
            "https://gitlab.com/group/sub/r/-/edit/next/a%20b.md",
            "https://gitlab.com/group/sub/r/-/issues/new?issue%5Btitle%5D=C%26%7Bbody%7D&issue%5Bdescription%5D=1%0A2",
        ),
        (
            "https://codeberg.org/o/r/src/branch/main/docs",
            "https://codeberg.org/o/r/_edit/main/docs/a%20b.md",
            "https://codeberg.org/o/r/issues/new?title=C%26%7Bbody%7D&body=1%0A2",
        ),
        (
            "https://gitlab.com/o/r",
            "",
            "https://gitlab.com/o/r/-/issues/new?issue%5Btitle%5D=C%26%7Bbody%7D",
        ),
    ],
)
def test_a_home_is_edited_and_reported_to_as_its_forge_does(
    address: str, edit: str, report: str
) -> None:
    """Values are quoted; without a branch, edit links exist only where the forge resolves the
    default branch."""
    home = web_folder(address)
    assert home is not None
    path = home.folder + "a b.md"
    assert home.edit(path) == edit
    assert home.report(title="C&{body}", body="1\n2").startswith(report)


def test_a_home_elsewhere_has_no_links() -> None:
    """A repository on an unknown forge has no links."""
    assert web_folder("https://example.org/o/r/tree/main") is None


def test_an_owner_may_be_called_as_a_forge_calls_folders() -> None:
    """An owner or repository may have the name of one of the forge's own paths."""
    home = web_folder("https://github.com/tree/src")
    assert home is not None
    assert home.web.base == "https://github.com/tree/src"
