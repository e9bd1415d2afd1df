"""A site that was just assembled and is not written yet: what belongs to a single term is made when it is asked for.

That takes some thousandths of a second, and gives the bytes that a build is going to write. So it is for styles and
scripts. What is about the whole glossary is left to the build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from sitegen import assets, exports, pages, urls
from sitegen.build import of_term
from sitegen.model import File
from sitegen.render import Renderer
from sitegen.site import Site


class Fresh:
    """The files of a site that can be had before it is written."""

    def __init__(self, site: Site, templates: Mapping[str, str], before: Fresh | None = None) -> None:
        """`before` is what was fresh before: what it has compiled is not compiled again."""
        self._site = site
        self._templates = templates
        self._renderer: Renderer = Renderer(templates, site, before._renderer if before else None)
        self._terms: dict[str, Mapping[str, bytes]] = {}

    def content(self, path: str) -> bytes | None:
        """Returns what a file of the site holds; None where that is for the build to say."""
        key = self._site.owners.get(urls.slug_in(path))
        return self._assets.get(path) if key is None else self._of_term(key).get(path)

    @cached_property
    def _assets(self) -> Mapping[str, bytes]:
        return _by_path([*assets.files(self._templates), self._renderer.panels()])

    def _of_term(self, key: str) -> Mapping[str, bytes]:
        if key not in self._terms:
            self._terms[key] = _by_path(of_term(self._renderer, *self._shared, key))
        return self._terms[key]

    @cached_property
    def _shared(self) -> tuple[pages.Desk, exports.Labels]:
        return pages.desk(self._site), exports.Labels(self._site)


def _by_path(files: Iterable[File]) -> Mapping[str, bytes]:
    return {file.path: file.content for file in files}
