"""Pages rendered on demand in the preview are the same as those of a build."""

from __future__ import annotations

import pytest
from views import SITES

from sitegen.addresses import urls
from sitegen.pipeline import assembly
from sitegen.preview.session import LivePages
from sitegen.site.templates import read_templates


@pytest.mark.parametrize("name", SITES)
def test_what_is_made_on_demand_is_what_is_built(name: str) -> None:
    """Every file of a term, style and script has the bytes of a build; other files are not
    rendered."""
    site, templates = SITES[name](), read_templates()
    fresh = LivePages(site, templates)
    built = {file.path: file.content for file in assembly.files(site, templates)}
    made = {path: content for path in built if (content := fresh.content(path)) is not None}
    assert made == {path: built[path] for path in made}
    folders = [kept.row.address.removeprefix("/") for kept in site.permanence.kept]
    retired = {f"{folder}index.{ending}" for folder in folders for ending in ("html", "json", "md")}
    expected = {path for path in built if path.startswith("term/")} - retired
    assert expected <= made.keys()
    assert {"assets/site.css", "assets/site.js", "assets/panels.js"} <= made.keys()
    assert not {"index.html", "a-z/index.html", "404.html", *retired} & made.keys()


@pytest.mark.parametrize(
    "path", ["term/nothing/index.html", "term/index.html", "term", "../term/volume/index.html", ""]
)
def test_what_is_not_there_is_not_made(path: str) -> None:
    """An address without a term is left to the build."""
    assert LivePages(SITES["golden"](), read_templates()).content(path) is None


def test_what_was_compiled_before_changes_nothing() -> None:
    """Sites with another title or language have their own pages."""
    templates = read_templates()
    for name in ("golden", "arabic", "golden", "one"):
        site = SITES[name]()
        fresh = LivePages(site, templates)
        path = next(f"{urls.term(slug)}index.html" for slug in site.permanence.owners)
        assert fresh.content(path) == LivePages(site, templates).content(path)
