"""A site that was just assembled and is not written yet: what belongs to a single term is made when it is asked for.

That takes some thousandths of a second, and gives the bytes that a build is going to write. So it is for styles and
scripts. What is about the whole glossary is left to the build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from sitegen.addresses import urls
from sitegen.build.pipeline import of_term
from sitegen.model import File
from sitegen.site import assets, exports, pages
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site


class Fresh:
    """The files of a site that can be had before it is written."""

    def __init__(self, site: Site, templates: Mapping[str, str]) -> None:
        self._site = site
        self._templates = templates
        self._renderer: Renderer = Renderer(templates, site)
        self._terms: dict[str, _Files] = {}

    def content(self, path: str) -> bytes | None:
        """Returns what a file of the site holds; None where that is for the build to say."""
        key = self._site.owners.get(urls.slug_in(path))
        if key is None:
            return self._assets.content(path)
        if key not in self._terms:
            self._terms[key] = _Files(of_term(self._renderer, self._desk, self._labels, key))
        return self._terms[key].content(path)

    @cached_property
    def _assets(self) -> _Files:
        return _Files(iter([*assets.files(self._templates), self._renderer.panels()]))

    @cached_property
    def _desk(self) -> pages.PageData:
        return pages.page_data(self._site)

    @cached_property
    def _labels(self) -> exports.Labels:
        return exports.Labels(self._site)


class _Files:
    """Some files, of which no more are made than it takes to answer."""

    def __init__(self, coming: Iterator[File]) -> None:
        self._made: dict[str, bytes] = {}
        self._coming = coming

    def content(self, path: str) -> bytes | None:
        while path not in self._made and (file := next(self._coming, None)):
            self._made[file.path] = file.content
        return self._made.get(path)
