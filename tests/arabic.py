"""A small Arabic glossary for tests: a library's terms over four releases, one of them unreadable.

Some names and definitions hold Latin letters, one has code in it, and an English guide defines one
of the terms too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache

from glossaries import source
from sites import site_of

from sitegen.config.tables import Rename, SourceTable
from sitegen.model import Source
from sitegen.site.site import Site

LOAN = "إخراج كتاب من المكتبة لمدة معلومة على أن يعاد إليها."
COPY = "إخراج نسخة من المكتبة لمدة معلومة، ويجوز تمديدها مرة واحدة، على أن تعاد إليها في موعدها."
CATALOG = "قائمة بكل ما في المكتبة، يوصف فيها كل كتاب بعنوانه ومؤلفه ورقم ISBN."
NUMBER = (
    "<p>رقم من 13 خانة يدل على طبعة بعينها، ويُكتب هكذا: <code>978-3-16-148410-0</code>.</p>"
    "<p>يرد في كل <a href='term:فهرس'>فهرس</a>، ويُسأل عنه بالأمر:</p>"
    "<pre><code>lookup --isbn 978-3-16-148410-0</code></pre>"
)
CARD = "ورقة صغيرة فيها وصف كتاب واحد."
FINE = "<p>مال يدفعه القارئ حين تطول <a href='term:إعارة'>الإعارة</a> عن مدتها.</p>"
INTERFACE = "ما تخاطب به البرامج المكتبة (REST وما شابهه)، بدل أن يخاطبها القارئ بنفسه."

FIRST: Mapping[str, str] = {
    "الإعارة/ إعارة; استعارة": LOAN,
    "الإعارة/ غرامة": FINE,
    "الفهرسة/ فهرس": CATALOG,
    "الفهرسة/ بطاقة": CARD,
    "الفهرسة/ ISBN; الرقم الدولي (ISBN)": NUMBER,
}
SECOND: Mapping[str, str] = {
    **FIRST,
    "الفهرسة/ API; واجهة برمجية": INTERFACE,
}
LAST: Mapping[str, str] = {
    "الإعارة/ إعارة; استعارة": COPY,
    "الإعارة/ رسم التأخير": FINE,
    "الفهرسة/ فهرس": CATALOG,
    "الفهرسة/ ISBN; الرقم الدولي (ISBN)": NUMBER.replace("خانة", "رقمًا"),
    "الفهرسة/ API; واجهة برمجية": INTERFACE,
}
GUIDE = {"فهرس": "A list of all that the library holds, which tells title and author of each book."}
DAYS = (date(2023, 2, 1), date(2023, 9, 14), date(2024, 1, 30), date(2025, 3, 4))


def library() -> Source:
    read = source("library", {"1.0": FIRST, "1.1": SECOND, "1.2-rc": None, "2.0": LAST})
    releases = [replace(one, date=day) for one, day in zip(read.releases, DAYS, strict=True)]
    return replace(read, title="المكتبة", releases=tuple(releases))


def guide() -> Source:
    read = source("guide", {"": GUIDE})
    return replace(read, title="Readers’ guide", retrieved=date(2025, 3, 1))


@cache
def arabic() -> Site:
    """Returns the whole site."""
    rename = Rename(source="library", old="غرامة", new="رسم التأخير", reason="أوضح للقارئ")
    site = site_of(
        library(),
        guide(),
        renames=(rename,),
        title="مسرد المكتبة",
        language="ar",
        base_url="https://example.org/library/",
        note="كُتب هذا المسرد للتجربة.",
    )
    return replace(site, tables={"library": SourceTable(id="library", license="CC0")})
