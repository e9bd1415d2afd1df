"""Pages of a site that is assembled and not written yet, rendered when they are requested.

The pages and data of one term, styles and scripts take milliseconds, and are the bytes that the build will write.
Pages about the whole glossary come from the build.
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


class LivePages:
    """The files of a site that can be rendered before the site is written."""

    def __init__(self, site: Site, templates: Mapping[str, str]) -> None:
        self._site = site
        self._templates = templates
        self._renderer: Renderer = Renderer(templates, site)
        self._terms: dict[str, _Files] = {}

    def content(self, path: str) -> bytes | None:
        """Returns the content of a file; None if only the build has it."""
        key = self._site.owners.get(urls.slug_in(path))
        if key is None:
            return self._assets.content(path)
        if key not in self._terms:
            self._terms[key] = _Files(of_term(self._renderer, self._data, self._labels, key))
        return self._terms[key].content(path)

    @cached_property
    def _assets(self) -> _Files:
        return _Files(iter([*assets.files(self._templates), self._renderer.panels()]))

    @cached_property
    def _data(self) -> pages.PageData:
        return pages.page_data(self._site)

    @cached_property
    def _labels(self) -> exports.Labels:
        return exports.Labels(self._site)


class _Files:
    """Files that are rendered in order, up to the one that is requested."""

    def __init__(self, rest: Iterator[File]) -> None:
        self._rendered: dict[str, bytes] = {}
        self._rest = rest

    def content(self, path: str) -> bytes | None:
        while path not in self._rendered and (file := next(self._rest, None)):
            self._rendered[file.path] = file.content
        return self._rendered.get(path)
