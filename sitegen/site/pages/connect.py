"""How the glossary is used from elsewhere: the files to take, and what leads here from other people's pages."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.site.pages.page import Writer
from sitegen.site.site import Site

FORMS = {
    urls.DATA: "form.data",
    urls.SCHEMA: "form.schema",
    urls.SHEET: "form.sheet",
    urls.TURTLE: "form.turtle",
    urls.JSON_LD: "form.json-ld",
    urls.TBX: "form.tbx",
    urls.DEFINED_TERMS: "form.defined-terms",
    urls.RENAMES: "form.renames",
    urls.LLMS: "form.llms",
}
"""The files to offer, and what is said of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    address: str
    what: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Something to copy into a page or a setting elsewhere."""

    sentence: Markup
    code: str


def downloads(writer: Writer) -> tuple[Download, ...]:
    """Returns the files to offer."""
    files = {**FORMS, **({urls.feed(urls.HOME): "form.feed"} if writer.data.site.base_url else {})}
    return tuple(Download(address=address, what=writer.say(key)) for address, key in files.items())


def uses(writer: Writer) -> tuple[Use, ...]:
    """Returns what to copy; nothing for a site without a base_url."""
    base = writer.data.site.base_url
    if not base:
        return ()
    role = Markup("<code>:term:</code>")
    script = f'<script src="{base}{urls.EMBED}" defer></script>'
    return (
        Use(sentence=writer.say("use.sphinx", role=role), code=_mapping(writer.data.site)),
        Use(sentence=writer.say("use.cards"), code=script),
        Use(sentence=writer.say("use.autolinks", example=Markup("<code>TERM-…</code>")), code=_autolink(base)),
    )


def _mapping(site: Site) -> str:
    """A setting of intersphinx: the terms of today, and those of the last release of the first source."""
    places = [("glossary", site.base_url)]
    for source in site.sources[:1]:
        out = [release.name for release in source.releases if release.name in site.releases_out]
        places += [(f"glossary-{urls.release_slug(name)}", site.base_url + urls.release(name)) for name in out[-1:]]
    lines = (f'    "{name}": ("{address}", None),' for name, address in places)
    return "\n".join(("intersphinx_mapping = {", *lines, "}"))


def _autolink(base: str) -> str:
    """What GitHub asks for in a repository's settings; its references take what slugs are made of."""
    return f"TERM-    {base}{urls.term('<num>')}"
