"""Downloads, and snippets with which other sites and tools link to the glossary."""

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
"""The addresses of the downloads to the keys of their descriptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    address: str
    what: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A snippet for another page or a setting."""

    sentence: Markup
    code: str


def downloads(writer: Writer) -> tuple[Download, ...]:
    """Returns the downloads."""
    files = {**FORMS, **({urls.feed(urls.HOME): "form.feed"} if writer.data.site.base_url else {})}
    return tuple(Download(address=address, what=writer.say(key)) for address, key in files.items())


def uses(writer: Writer) -> tuple[Use, ...]:
    """Returns the snippets; none for a site without a base_url."""
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
    """Returns an intersphinx setting for all terms, and for the latest release of the first source."""
    places = [("glossary", site.base_url)]
    for source in site.sources[:1]:
        out = [release.name for release in source.releases if release.name in site.releases_out]
        places += [(f"glossary-{urls.release_slug(name)}", site.base_url + urls.release(name)) for name in out[-1:]]
    lines = (f'    "{name}": ("{address}", None),' for name, address in places)
    return "\n".join(("intersphinx_mapping = {", *lines, "}"))


def _autolink(base: str) -> str:
    """Returns an autolink for a repository's settings on GitHub, whose references allow the characters of slugs."""
    return f"TERM-    {base}{urls.term('<num>')}"
