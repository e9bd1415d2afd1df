"""The interface in Arabic, as a reader of technical Arabic anywhere would write it.

Versions, line numbers and paths are in Latin letters and digits, so counts and days are written in Latin digits too:
a page with two sets of digits is hard to compare. Months have the names used from Egypt to the Gulf.
"""

from __future__ import annotations

from collections.abc import Mapping

from sitegen.wording.catalogue import Catalogue, Message


def _forms(zero: str, one: str, two: str, few: str, many: str, other: str) -> Message:
    return {"zero": zero, "one": one, "two": two, "few": few, "many": many, "other": other}


def _terms(sentence: str, *, two: str = "مصطلحان") -> Message:
    """A sentence with a gap, `[]`, for a number of terms; two terms take the case that the sentence asks for."""
    numbers = ("لا مصطلحات", "مصطلح واحد", two, "{count} مصطلحات", "{count} مصطلحًا", "{count} مصطلح")
    return _forms(*(sentence.replace("[]", number) for number in numbers))


def _such(one: str, *, many: str = "", of: str = "") -> Message:
    """So many terms of which the same is true, said by an adjective, which may have a noun of its own."""
    two = f"{one}ا {of}" if of else f"{one}ان"
    several, of = f"{one}ة", f" {of}" if of else ""
    return _forms(
        f"لا {one}{of}",
        f"واحد {one}{of}",
        f"اثنان {two}",
        f"{{count}} {several}{of}",
        f"{{count}} {many or one}{of}",
        f"{{count}} {one}{of}",
    )


STATUS: Mapping[str, Message] = {
    "status.unchanged": "لم يتغيّر منذ أُضيف في الإصدار {release}",
    "status.first-read": "في الإصدار {release} أو قبله، وهو أول إصدار قرأناه",
    "status.unchanged-since": "لم يتغيّر منذئذ",
    "status.changed": "لم يتغيّر منذ الإصدار {release} · {origin}",
    "status.added": "أُضيف في الإصدار {release}",
    "status.earlier": "في الإصدار {release} أو قبله، وهو أول إصدار قرأناه",
    "status.reworded": "أُعيدت صياغته في {release}، وهو أحدث إصدار",
    "status.reworded-unreleased": "أُعيدت صياغته في {release}",
    "status.unreleased": "لم يرد في أي إصدار بعد",
    "status.new": "جديد في الإصدار {release}",
    "status.reformatted": "تغيّر تنسيقه في الإصدار {release} وبقيت كلماته كما هي",
    "status.renamed": "كان اسمه «{name}» حتى الإصدار {release} · {origin}",
    "status.deprecated": "مهجور منذ الإصدار {release}.",
    "status.deprecated-earlier": "مهجور في الإصدار {release} أو قبله، وهو أول إصدار قرأناه.",
    "status.deprecated-undated": "مهجور.",
    "status.use-instead": "استعمل بدلًا منه: {term}.",
    "status.removed": "حُذف في الإصدار {release} — آخر تعريف له في {last}",
    "status.no-replacement": "لم يُذكر له بديل.",
    "status.restored": "حُذف في الإصدار {removed} وعاد منذ الإصدار {release}",
    "status.unread": "تعذّرت قراءة {releases}",
    "status.retrieved": "تعريفه من {source}، كما كان في {date}",
    "status.undated": "تعريفه من {source}، بلا تاريخ",
    "status.synonym": "هو نفسه {term}، وتعريفه هو المذكور هنا",
    "status.merged": "دُمج مع {term} في الإصدار {release}، وتعريفه هو المذكور هنا",
    "status.now-called": "«{name}» صار اسمه {term} (منذ الإصدار {release})",
    "status.other-name": "«{name}» اسم آخر للمصطلح {term}",
}

KINDS: Mapping[str, Message] = {
    "kind.first-read": "أول ما قُرئ",
    "kind.added": "أُضيف",
    "kind.reworded": "أُعيدت صياغته",
    "kind.reformatted": "تغيّر تنسيقه",
    "kind.renamed": "تغيّر اسمه",
    "kind.names-changed": "تغيّرت أسماؤه الأخرى",
    "kind.moved": "نُقل",
    "kind.deprecated": "هُجر",
    "kind.removed": "حُذف",
    "kind.restored": "أُعيد",
    "kind.merged": "دُمج",
    "kind.split": "فُصل",
    "kind.unchanged": "لم يتغيّر",
    "kind.unread": "تعذّرت قراءته",
    "kind.new": "جديد",
}

EVENTS: Mapping[str, Message] = {
    "event.unreleased": "لم يصدر بعد.",
    "event.renamed.name": "كان اسمه «{name}».",
    "event.renamed.declared": "كان اسمه «{name}» (بحسب القائم على الموقع).",
    "event.renamed.declared-why": "كان اسمه «{name}» (بحسب القائم على الموقع: {reason}).",
    "event.renamed.other-name": "كان اسمه «{name}»، وكان ذلك من أسمائه الأخرى.",
    "event.renamed.same-words": "يُرجَّح أن اسمه كان «{name}» (الكلمات نفسها)",
    "event.names-gained": "من أسمائه من هنا فصاعدًا: {names}.",
    "event.names-lost": "لم يعد يُسمّى: {names}.",
    "event.moved": "نُقل من «{before}» إلى «{after}».",
    "event.moved-file": "نُقل من {before} إلى {after}.",
    "event.same-as": "عادت كلماته كما كانت في الإصدار {release}.",
    "event.removed": "آخر تعريف له في {last}.",
    "event.merged.name": "دُمج مع {term}.",
    "event.merged.declared": "دُمج مع {term} (بحسب القائم على الموقع).",
    "event.merged.declared-why": "دُمج مع {term} (بحسب القائم على الموقع: {reason}).",
    "event.merged.other-name": "دُمج مع {term}، وصار هذا الاسم من أسمائه.",
    "event.split": "فُصل عن {term}، وكان هذا الاسم لذاك حتى ذلك الحين.",
    "event.place": "{path}، السطر {line}",
    "event.place-before": "وقبله في الإصدار {release}: {place}",
    "event.all-changes": "كل تغييرات الإصدار {release}",
    "event.link": "رابط الإصدار {release}",
    "event.frozen": "رابط هذه الصياغة",
    "event.full-text": "النص الكامل",
    "event.what-changed": "ما الذي تغيّر",
    "words-added": _forms(
        "لم تُضف كلمة",
        "أُضيفت كلمة واحدة",
        "أُضيفت كلمتان",
        "أُضيفت {count} كلمات",
        "أُضيفت {count} كلمة",
        "أُضيفت {count} كلمة",
    ),
    "words-removed": _forms(
        "لم تُحذف كلمة",
        "حُذفت كلمة واحدة",
        "حُذفت كلمتان",
        "حُذفت {count} كلمات",
        "حُذفت {count} كلمة",
        "حُذفت {count} كلمة",
    ),
    "words-both": "{added}، {removed}",
    "words-and-removed": _forms(
        "ولم يُحذف شيء", "وحُذفت واحدة", "وحُذفت اثنتان", "وحُذفت {count}", "وحُذفت {count}", "وحُذفت {count}"
    ),
    "marked.added": "[أُضيف: ",
    "marked.removed": "[حُذف: ",
    "marked.end": "]",
    "before": "قبل",
    "after": "بعد",
}

TERM: Mapping[str, Message] = {
    "names.also-called": "يُسمّى أيضًا",
    "names.formerly": "اسمه سابقًا",
    "names.formerly-until": "{name} (حتى الإصدار {release})",
    "names.deprecated": "{name} (مهجور)",
    "names.homonym": "{term} ({hint})",
    "names.see-also": "انظر أيضًا",
    "names.used-by": "يرد في تعريف",
    "names.same-name": "مصطلح آخر بالاسم نفسه",
    "history": "سجل التغييرات",
    "history.starts": "يبدأ السجل من الإصدار القادم.",
    "history.table": "السجل في جدول",
    "table.release": "الإصدار",
    "table.source": "المصدر",
    "table.date": "التاريخ",
    "table.change": "ما حدث",
    "table.place": "موضعه",
    "table.span": "من {first} إلى {last}",
    "also-defined": "معرَّف أيضًا في",
    "also-defined.retrieved": "{source} (كما كان في {date})",
    "also-defined.release": "{source} {release}",
    "also-defined.same": "الكلمات نفسها كما في الأعلى.",
    "also-defined.differs": "ما يختلف فيه عن {source}",
    "defined-in": "{source} {release}: {place}",
    "defined-in-undated": "{source}: {place}",
}

PERMANENCE: Mapping[str, Message] = {
    "release.unreleased": "{release}، ولم يصدر بعد",
    "frozen.title": "{name} بحسب الإصدار {release}",
    "frozen.as-of": "بحسب الإصدار {release}:",
    "frozen.wording": "الصياغة بحسب الإصدار {release}.",
    "frozen.current": "وما زالت سارية في {release}.",
    "frozen.removed": "حُذف المصطلح في {release}.",
    "frozen.reworded": "أُعيدت الصياغة في {release}: {what}.",
    "frozen.see": "انظر ما تغيّر",
    "frozen.living": "سيرة هذا المصطلح كاملة: {term}",
    "kept.term.undated": "كان هذا العنوان للمصطلح «{name}» من {source}.",
    "kept.term.once": "كان هذا العنوان للمصطلح «{name}» من {source} {first}.",
    "kept.term.long": "كان هذا العنوان للمصطلح «{name}» من {source}، من {first} إلى {last}.",
    "kept.frozen": "كان هذا العنوان لصياغة «{name}» في {source} {first}.",
    "kept.release": "كان هذا العنوان للإصدار {name} من {source}.",
    "kept.since": "كان هذا العنوان لما تغيّر في {source} منذ {first}.",
    "kept.pair": "كان هذا العنوان لما تغيّر في {source} من {first} إلى {last}.",
    "kept.page": "كانت في هذا العنوان صفحة.",
    "kept.reason": "أُبطل العمل به: {reason}",
    "kept.title": "عنوان أُبطل",
    "kept.notice": "ليس هنا كل ما نُشر أول الأمر في هذا العنوان: {reason}",
    "kept.moved": "صار عند {source} مصطلح مستقل بهذا الاسم: {term}",
    "kept.linked": "ما كان هذا الرابط يقود إليه لم يعد في هذه الصفحة.",
    "kept.living": "بقي من هذا المصطلح: {term}",
    "kept.section": "لا مصطلح في هذا القسم اليوم.",
}

PAGES: Mapping[str, Message] = {
    "comma": "، ",
    "quoted": "«{text}»",
    "date": "{day} {month} {year}",
    "title": "{page} — {site}",
    "skip.definition": "تخطَّ إلى التعريف",
    "skip.content": "تخطَّ إلى المحتوى",
    "nav": "الموقع",
    "nav.a-z": "الفهرس",
    "nav.releases": "الإصدارات",
    "nav.compare": "المقارنة",
    "nav.about": "عن الموقع",
    "search": "ابحث",
    "search.terms": "ابحث في المصطلحات",
    "built-with": "بُني باستخدام {generator}",
    "data": "المسرد بصيغة بيانات",
    "terms": _terms("[]"),
    "home.covers": _forms(
        "{source}، لا إصدارات",
        "{source} {last}",
        "{source} من {first} إلى {last}، إصداران",
        "{source} من {first} إلى {last}، {count} إصدارات",
        "{source} من {first} إلى {last}، {count} إصدارًا",
        "{source} من {first} إلى {last}، {count} إصدار",
    ),
    "home.covers-unreleased": "{source}، ولم يصدر بعد",
    "home.covers-unread": "{source}، وقد تعذّرت قراءته",
    "home.covers-undated": "{source}",
    "home.covers-retrieved": "{source}، كما كان في {date}",
    "home.latest": "الجديد في {release}",
    "home.unreleased": "لم يصدر بعد: {release}",
    "home.since": "ما تغيّر منذ",
    "home.show": "اعرض",
    "home.sections": "الأقسام",
    "home.more": _forms(
        "ولا شيء غيرها", "وواحد غيرها", "واثنان غيرها", "و{count} غيرها", "و{count} غيرها", "و{count} غيرها"
    ),
    "home.letters": "بحسب الحرف",
    "home.every-term": "فهرس كل المصطلحات",
    "a-z.title": "فهرس المصطلحات",
    "a-z.description": _terms("{site}: [] بالترتيب الهجائي."),
    "a-z.letters": "الحروف",
    "a-z.also": "أيضًا: {names}",
    "a-z.removed": "مصطلحات محذوفة",
    "a-z.same-as": "هو نفسه {term}",
    "a-z.removed-in": "حُذف في الإصدار {release}",
    "section": "قسم",
    "section.terms": _terms("[] في هذا القسم."),
    "releases.title": "الإصدارات",
    "releases.none": "لم يُقرأ أي إصدار: لا سجل هنا لشيء بعد.",
    "release.title": "تغييرات الإصدار {release}",
    "release.none": "لم يتغيّر أي مصطلح في الإصدار {release}.",
    "release.first": _forms(
        "{release} أول إصدار قرأناه، وليس فيه مصطلحات.",
        "{release} أول إصدار قرأناه، وفيه مصطلح واحد.",
        "{release} أول إصدار قرأناه، وفيه مصطلحان.",
        "{release} أول إصدار قرأناه، وفيه {count} مصطلحات.",
        "{release} أول إصدار قرأناه، وفيه {count} مصطلحًا.",
        "{release} أول إصدار قرأناه، وفيه {count} مصطلح.",
    ),
    "release.first-unreleased": _terms("في {release}: []."),
    "release.unread": "تعذّرت قراءة {source} في الإصدار {release}: لا يُعرف ما حدث لمصطلحاته.",
    "release.previous": "السابق: {release}",
    "release.next": "التالي: {release}",
    "release.neighbours": "إصدارات أخرى",
    "release.link": "هذا الإصدار عند ناشره",
    "release.of": "{source} {release}",
    "count.first-read": _such("مقروء", many="مقروءًا", of="أول مرة"),
    "count.added": _such("مضاف", many="مضافًا"),
    "count.reworded": _such("معدَّل", of="الصياغة"),
    "count.renamed": _such("مغيَّر", of="الاسم"),
    "count.deprecated": _such("مهجور", many="مهجورًا"),
    "count.removed": _such("محذوف", many="محذوفًا"),
    "count.restored": _such("مستعاد", many="مستعادًا"),
    "count.merged": _such("مدموج", many="مدموجًا"),
    "count.split": _such("مفصول", many="مفصولًا"),
    "count.names-changed": _such("مغيَّر", of="الأسماء الأخرى"),
    "count.moved": _such("منقول", many="منقولًا"),
    "count.reformatted": _such("مغيَّر", of="التنسيق"),
    "about.title": "عن الموقع ومصادره",
    "about.sources": "المصادر",
    "about.address": "منشور في",
    "about.licence": "الرخصة",
    "about.retrieved": "وثيقة واحدة كما كانت في {date}. لا تنتمي إلى أي إصدار ولا سجل لها.",
    "about.undated": "وثيقة واحدة بلا إصدارات: لا سجل لها.",
    "about.complete": "قُرئ من أول إصدار له.",
    "about.release": "الإصدار",
    "about.date": "التاريخ",
    "about.files": "الملفات المقروءة",
    "about.file": "الملف المقروء",
    "about.terms": "المصطلحات",
    "about.unread": "تعذّرت قراءته",
    "about.gap": "تعذّرت قراءة {releases}، فلا يُقال شيء عمّا حدث للمصطلحات حينها.",
    "about.renames": "كيف عُرفت تغييرات الأسماء",
    "about.renames-none": "لا يُعرف مصطلح تغيّر اسمه.",
    "about.rename": "«{before}» صار {term} في {source} {release}",
    "about.merge": "«{before}» دُمج مع {term} في {source} {release}",
    "about.rule.declared": "بحسب القائم على هذا الموقع",
    "about.rule.declared-why": "بحسب القائم على هذا الموقع: {reason}",
    "about.rule.other name": "كان أحدهما اسمًا آخر للثاني أو صار كذلك",
    "about.rule.same words": "ترجيحًا: كلماتهما واحدة، ولا مصطلح غيرهما له هذه الكلمات",
    "about.moved": "أين يوجد هذا الموقع أيضًا",
    "about.problems": "ما استُغرب في المصادر",
    "about.problems-none": "لا شيء.",
    "about.downloads": "للتنزيل",
    "about.schema": "معاني مفاتيحه (JSON Schema)",
    "about.privacy": "لا ملفات ارتباط، ولا شيء يُخزَّن في متصفحك، ولا شيء يُحمَّل من مكان آخر.",
    "lost.title": "الصفحة غير موجودة",
    "lost.text": "لا صفحة في هذا العنوان.",
    "lost.respelled": "هناك صفحة في {page}",
    "lost.same": "في الإصدار {release} كانت صياغة هذا المصطلح كما في {wording}.",
    "lost.after": "لم نقرأ {release}. وقبله كانت صياغة هذا المصطلح كما في {wording}.",
    "lost.absent": "لم يكن هذا المصطلح معرَّفًا في الإصدار {release}.",
    "lost.unread": "تعذّرت قراءة {release}، فلا تُعرف صياغة هذا المصطلح فيه.",
    "lost.unknown": "لا نعرف لهذا المصطلح إصدارًا باسم {release}.",
    "lost.release": "لا نعرف إصدارًا باسم {release}.",
    "lost.releases": "كل الإصدارات",
    "lost.like": "مصطلحات بأسماء تشبهه:",
    "lost.ways": "كل المصطلحات في الفهرس، والبحث يجد الأسماء السابقة أيضًا.",
}

COMPARE: Mapping[str, Message] = {
    "compare.title": "مقارنة الإصدارات",
    "compare.description": "ما تغيّر بين أي إصدارين من {site}.",
    "compare.nothing": "لا شيء يُقارن بعد: يلزم لذلك إصداران من مصدر واحد.",
    "compare.needs-script": (
        "تحتاج مقارنة أي إصدارين إلى البرمجة النصية، وهي معطّلة في هذا المتصفح. هذه مقارنات جاهزة:"
    ),
    "compare.from": "من",
    "compare.to": "إلى",
    "compare.swap": "بدّل",
    "compare.do": "قارن",
    "compare.since": "ما تغيّر منذ {release}",
    "compare.pair": "ما تغيّر من {older} إلى {newer}",
    "compare.dated": "{release} ({date})",
    "compare.latest": "{release} هو أحدث إصدار.",
    "compare.same": "هذا إصدار واحد، لا اثنان.",
    "compare.none": "لم يتغيّر أي مصطلح من {older} إلى {newer}.",
    "compare.apart": "لا مصدر له الإصداران {older} و{newer} معًا.",
    "compare.unknown": _terms("لا يُعرف شيء عن []، إذ تعذّرت القراءة في أحد الإصدارين.", two="مصطلحين"),
    "compare.unread": "تعذّرت قراءة {releases}، فلا شيء يُقارن.",
    "compare.wording": "الصياغة في {release}",
    "compare.others": "قارن إصدارات أخرى",
    "compare.failed": "لم تُحمَّل المقارنة.",
}

SEARCH: Mapping[str, Message] = {
    "search.title": "البحث",
    "search.also": "أيضًا: {name}",
    "search.formerly": "سابقًا: {name}",
    "search.current": "سارٍ",
    "search.deprecated": "مهجور",
    "search.removed": "محذوف",
    "search.found": _forms(
        "لا نتائج.",
        "نتيجة واحدة: {name}، {status}.",
        "نتيجتان. أولاهما: {name}، {status}.",
        "{count} نتائج. أولاها: {name}، {status}.",
        "{count} نتيجة. أولاها: {name}، {status}.",
        "{count} نتيجة. أولاها: {name}، {status}.",
    ),
    "search.found-many": "أكثر من {count} نتيجة. أولاها: {name}، {status}.",
    "search.nothing": "لا مصطلح يطابق «{query}».",
    "search.guess": "هل تقصد {name}؟",
    "search.browse": "تصفّح الفهرس",
    "search.failed": "لم يُحمَّل البحث.",
    "search.all": "كل نتائج البحث عن «{query}»",
    "search.needs-script": "يحتاج البحث إلى البرمجة النصية، وهي معطّلة في هذا المتصفح.",
}

CHOICES: Mapping[str, Message] = {
    "close": "أغلق",
    "theme": "المظهر",
    "theme.auto": "تلقائي",
    "theme.light": "فاتح",
    "theme.dark": "داكن",
    "shortcuts": "اختصارات لوحة المفاتيح",
    "shortcuts.search": "ابحث",
    "shortcuts.move": "انتقل إلى النتيجة التالية أو ارجع",
    "shortcuts.first": "افتح النتيجة الأولى",
    "shortcuts.copy-link": "انسخ رابط هذا المصطلح، أو رابط الصياغة المُعلَّمة",
    "shortcuts.copy-markdown": "انسخه بصيغة Markdown",
    "shortcuts.list": "اعرض هذه القائمة",
    "shortcuts.close": "أغلق ما هو مفتوح",
    "aids.keys": "اختصارات المفتاح الواحد",
    "aids.previews": "معاينة المصطلحات المرتبطة",
}


def _plural(count: int) -> str:
    """By the rule of CLDR for Arabic: hundreds count as the two digits at their end do."""
    if count < 3:
        return ("zero", "one", "two")[count]
    last = count % 100
    return "other" if last < 3 else "few" if last < 11 else "many"


ARABIC = Catalogue(
    language="ar",
    direction="rtl",
    plural=_plural,
    months=tuple("يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر".split()),
    messages={**STATUS, **KINDS, **EVENTS, **TERM, **PERMANENCE, **PAGES, **COMPARE, **SEARCH, **CHOICES},
)
