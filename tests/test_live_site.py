"""Files rendered on demand in the preview are the same as those of a build."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sites import files_of
from views import SITES

from sitegen.addresses import urls
from sitegen.model import File, SitePart
from sitegen.pipeline import assembly
from sitegen.preview.session import LiveSite
from sitegen.site.site import Site
from sitegen.site.templates import read_templates


def live(site: Site) -> LiveSite:
    return LiveSite(assembly.parts(site, read_templates()))


@pytest.mark.parametrize("name", SITES)
def test_what_is_made_on_demand_is_what_is_built(name: str) -> None:
    """Each file has the bytes of a build, whichever is asked for first."""
    site = SITES[name]()
    built = {file.path: file.content for file in files_of(site, read_templates())}
    for paths in (sorted(built), sorted(built, reverse=True)):
        one = live(site)
        assert {path: one.content(path) for path in paths} == built


@pytest.mark.parametrize("name", SITES)
def test_a_part_is_found_by_the_paths_of_its_files(name: str) -> None:
    """The path of each file begins as its part says."""
    site = SITES[name]()
    for part in assembly.parts(site, read_templates()):
        for file in part.make():
            assert file.path.startswith(part.prefixes)


@pytest.mark.parametrize(
    "path", ["term/nothing/index.html", "term/index.html", "term", "../term/volume/index.html", ""]
)
def test_what_is_not_there_is_not_made(path: str) -> None:
    """An address without a file has no content."""
    assert live(SITES["golden"]()).content(path) is None


def test_what_was_compiled_before_changes_nothing() -> None:
    """Sites with another title or language have their own pages."""
    for name in ("golden", "arabic", "golden", "one"):
        site = SITES[name]()
        one = live(site)
        path = next(f"{urls.term(slug)}index.html" for slug in site.addresses.pages)
        assert one.content(path) == live(site).content(path)


def test_a_part_with_an_error_gives_no_file() -> None:
    """If a file of a part cannot be rendered, each request of the part has the error."""

    def made() -> Iterator[File]:
        yield File(path="term/jig/index.html", content=b"Jig")
        raise ValueError("the template")

    one = LiveSite([SitePart(prefixes=("term/jig/",), make=made)])
    for _ in range(2):
        with pytest.raises(ValueError, match="the template"):
            one.content("term/jig/index.html")
