"""A site in which every text attacks some format, for tests of exports, feeds and Markdown."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from glossaries import source
from sites import site_of

from sitegen.site.exports.escaping import xml
from sitegen.site.site import Site

BASE = "https://example.org/words/"

HOSTILE = (
    '</term><script>alert(1)</script>; "@en . <x> <y> <z> .; ]]>&#0;&amp',
    "=cmd|'/c calc'!A1; @SUM(1); +1; -2",
    "\u202eright to left\u202c; \u0645\u0635\u0637\u0644\u062d; \U0001f600",
    "lone \udc80 surrogate; control \x00\x1b\x7f\ufffe; two\nlines\u2028and\x85more",
    "\\u0022; \\; 'apostrophe'; {}%s; __proto__",
)


def hostile() -> Site:
    """Returns a glossary in which every text attacks some format."""
    first = {names: f"{names} means <b>\x0bharm</b>\n\n=1+1;-2,@x" for names in HOSTILE}
    then = {
        f"{names.upper()}; {names}": f"<p>New <a href='term:x'>{xml(names)}</a></p>"
        for names in HOSTILE[1:]
    }
    read = source('s"<&', {"1</": first, '2"\n': then})
    releases = tuple(replace(release, date=date(2024, 2, 29)) for release in read.releases)
    return site_of(replace(read, releases=releases), title='T"<>&]]>\x00\udc80', base_url=BASE)
