"""The files that a path or pattern matches."""

from __future__ import annotations

import pytest

from sitegen.config.patterns import literal, matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("docs", "docs/a.md"),
        ("docs/", "docs/x/y/a.md"),
        ("docs/**", "docs/x/a.md"),
        (".", "a.md"),
        ("**", "x/a.md"),
        ("**/a.md", "a.md"),
        ("**/a.md", "x/y/a.md"),
        ("docs/**/a.*", "docs/a.md"),
        ("docs/**/**/a.md", "docs/x/a.md"),
        ("**/x/**/a.md", "w/x/x/y/a.md"),
        ("d?cs/*.md", "docs/a.md"),
        ("[ab].md", "b.md"),
        (".github/a.md", ".github/a.md"),
        (".github", ".github/x/a.md"),
        ("*.svg", "a.svg"),
        ("docs/{api,web}/terms", "docs/web/terms/a.md"),
        ("{a,b}{1,2}.md", "b1.md"),
        ("{a}.md", "{a}.md"),
    ],
)
def test_a_pattern_means_a_path(pattern: str, path: str) -> None:
    """A pattern matches a file, everything in a folder, and wildcards."""
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.md", "x/a.md"),
        ("a.md", "A.md"),
        ("*.md", "x/a.md"),
        ("docs", "docs2/a.md"),
        ("docs/*/a.md", "docs/a.md"),
        ("docs/*/a.md", "docs/x/y/a.md"),
        ("docs", "docs/.hidden.md"),
        ("docs", "docs/.git/a.md"),
        ("**/a.md", ".git/a.md"),
        ("*.md", ".a.md"),
        ("docs", "docs/logo.svg"),
        ("docs/*", "docs/logo.PNG"),
        ("{a,b}.md", "c.md"),
        ("{a,b}" * 20, "{a,b}" * 19 + "a"),
    ],
)
def test_a_pattern_does_not_mean_a_path(pattern: str, path: str) -> None:
    """`*` stays within a name; hidden files and pictures match only if spelled out."""
    assert not matches(pattern, path)


def test_a_path_can_be_meant_literally() -> None:
    """A path with wildcards can be escaped to a pattern that matches only it."""
    path = "docs/[a]*?{b,c}.md"
    assert matches(literal(path), path)
    assert not matches(literal(path), "docs/[a]*?b.md")
    assert not matches(path, path)


def test_many_stars_take_no_longer() -> None:
    """A pattern of many double stars against a long path is matched quickly."""
    assert not matches("**/a/" * 30 + "b", "a/" * 60 + "c")
