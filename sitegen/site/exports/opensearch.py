"""Writes opensearch.xml, with which a browser can search the site from its address bar (OpenSearch 1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import escape

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports import fit
from sitegen.site.site import Site

LONGEST_NAME = 16
"""Maximum number of characters that the specification allows for a short name."""


def files(site: Site) -> Iterator[File]:
    """Yields the description if the site has a `base_url`: the format requires an absolute address."""
    if not site.base_url:
        return
    title = fit.text(site.title)
    text = f"""<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>{escape(title[:LONGEST_NAME].strip())}</ShortName>
<Description>{escape(title)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="{escape(site.base_url)}{urls.SEARCH}?q={{searchTerms}}"/>
</OpenSearchDescription>
"""
    yield File(path=urls.OPENSEARCH, content=text.encode())
