"""The page about the site: sources, releases, unread files, decisions about renames, problems and
downloads; and the sentences that introduce the site, which are also on its first page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.config.forges import is_address
from sitegen.model import Entry, Problem, Release, Skipped, Source
from sitegen.model.terms import CHANGES, COMPARED, Change, Life
from sitegen.site.pages.page import Page, Writer, file_name
from sitegen.site.site import Site
from sitegen.text.prose import from_html
from sitegen.text.summary import summary

FEW = 5
"""Maximum number of skipped or unread releases that are named."""
PERIODS = ("year", "month", "day")
"""The period of a dated state, by the number of hyphens in its name: `2024-05` is a month."""


def about(site: Site) -> Page:
    """Returns the page about the site and its sources."""
    writer = Writer(site, urls.ABOUT)
    downloads = [*urls.DOWNLOADS]
    if site.base_url:
        downloads.append(urls.feed(urls.HOME))
    not_compared = [kind for kind in CHANGES if kind not in COMPARED]
    return Page(
        address=urls.ABOUT,
        template="pages/about.html",
        title=writer.say("about.title"),
        context={
            "what": introduction(writer),
            "origin": origin(writer),
            "facts": list(_facts(writer)),
            "sources": [_source(source, writer) for source in site.sources],
            "shared": _shared(writer),
            "downloads": [(name, writer.say(f"form.{name}")) for name in downloads],
            "uses": list(_uses(writer)),
            "compared": COMPARED,
            "not_compared": not_compared,
            "decisions": list(_decisions(writer)),
            "differences": list(_differences(writer)),
            "problems": len(site.problems),
            "files_with_problems": _files_with_problems(site.problems),
        },
    )


def _facts(writer: Writer) -> Iterator[tuple[Markup, Sequence[Markup]]]:
    """Yields what readers ask first, each as its label and lines: who wrote the texts, their
    license, and where to report a problem. A license or an author that the owner did not name is
    "not stated"."""
    repository = _repository_of_texts(writer)
    not_stated = writer.say("about.not-stated")
    yield writer.say("about.written-by"), list(_authors(writer)) or [not_stated]
    if repository:
        not_stated = writer.say("about.not-stated-here", place=repository)
    yield writer.say("about.license"), list(_licenses(writer)) or [not_stated]
    if writer.site.repository:
        form = writer.site.repository.report(title=writer.site.title, body="")
        yield writer.say("report"), [_address_link(form, form.partition("?")[0])]


def _repository_of_texts(writer: Writer) -> Markup:
    """Returns a link to the repository of the site; empty if not all texts are there."""
    address = writer.site.settings.repository
    are_in_repository = all(_is_in_repository(source, writer) for source in writer.site.sources)
    if not address or not are_in_repository:
        return Markup()
    return _address_link(address, address)


def first_of_note(writer: Writer) -> Markup:
    """Returns the first sentence of the site's note; empty if it has none."""
    note = writer.site.settings.note
    return writer.text(summary(from_html(escape(note)))) if note else Markup()


def _authors(writer: Writer) -> Iterator[Markup]:
    """Yields who wrote the texts: the note of the site, and the contributors to its repository if
    all texts are there."""
    note = writer.site.settings.note
    if note:
        yield writer.text(note)
    repository = _repository_of_texts(writer)
    if repository:
        yield writer.say("about.contributors", place=repository)


def _licenses(writer: Writer) -> Iterator[Markup]:
    """Yields a line for each source with a license. If all sources have the same license, there is
    only one line."""
    sources = writer.site.sources
    licenses = [writer.site.table_of(source).license for source in sources]
    if len({*licenses}) == 1 and licenses[0]:
        yield writer.text(licenses[0])
        return

    for source, license in zip(sources, licenses, strict=True):
        if license:
            yield Markup("{}: {}").format(source.title, license)


def _shared(writer: Writer) -> Markup:
    """Returns how many terms are in more than one source, and how many there are in all; empty if
    no term is."""
    shared_count = 0
    for life in writer.site.defined:
        current = [course for course in life.courses if course.current]
        if len(current) > 1:
            shared_count += 1
    if not shared_count:
        return Markup()
    return writer.say("about.shared", shared_count, total=str(len(writer.site.defined)))


def _source(source: Source, writer: Writer) -> Mapping[str, object]:
    """Returns a source with what was read of it, and what was not."""
    span = Markup()
    if source.releases and not source.undated:
        span = writer.words.span(source.releases[0].name, source.releases[-1].name)
    courses = [course for _, course in writer.site.courses_of.get(source.id, ())]
    current = [course for course in courses if course.current]
    return {
        "source": source,
        "table": writer.site.table_of(source),
        "span": span,
        "notes": list(_notes(source, writer)),
        "skipped": [_skipped(skipped, writer) for skipped in source.skipped],
        "terms": writer.say("terms", len(current)),
        "releases": [_release(source, release, writer) for release in reversed(source.releases)],
    }


def _notes(source: Source, writer: Writer) -> Iterator[Markup]:
    """Yields the sentences about the history of a source: where it begins, and what is unknown."""
    if source.undated:
        if source.retrieved:
            yield writer.say("about.retrieved", date=writer.words.date(source.retrieved))
        else:
            yield writer.say("about.undated")
        return
    if source.complete:  # its first release is the first of the glossary
        yield writer.say("about.complete")
    unread = [release.name for release in source.releases if not release.is_read]
    if unread:
        yield writer.say("about.gap", releases=writer.versions(unread))


def _release(source: Source, release: Release, writer: Writer) -> Mapping[str, object]:
    """Returns a release with its files, and how many terms it defines."""
    # Terms are counted, not entries: a document may define a term twice.
    courses = writer.site.courses_of.get(source.id, ())
    defined = [course for _, course in courses if course.at(release.name)]
    name = writer.version_of(source, release.name)
    return {
        "name": writer.link(name, urls.release(release.name)),
        "date": writer.date_in_list(source, release),
        "files": release.names_read,
        "unread": release.gaps,
        "terms": writer.say("terms", len(defined)),
    }


def _skipped(skipped: Skipped, writer: Writer) -> Markup:
    """Returns the sentence about releases that are left out for one reason."""
    names = writer.versions(skipped.names[:FEW])
    if len(skipped.names) > FEW:
        names += " …"
    return writer.say(f"about.skipped.{skipped.reason}", len(skipped.names), names=names)


def _decisions(writer: Writer) -> Iterator[Markup]:
    """Yields a sentence for each rename and each merger, with how it was decided."""
    for life in writer.site.lives:
        # Several changes of a term in one release have the same decision.
        decided_changes: dict[tuple[str, str], Change] = {}
        for change in life.changes:
            # The sentence names the entry before the change, which a merger may lack.
            if change.identity and change.before:
                decided_changes.setdefault((change.source, change.release), change)
        for change in decided_changes.values():
            yield _decision(life, change, writer)


def _decision(life: Life, change: Change, writer: Writer) -> Markup:
    """Returns the sentence about a rename or a merger, with how it was decided."""
    assert change.before and change.identity
    decision = writer.say(
        "about.merge" if change.kind == "merged" else "about.rename",
        before=change.before.name,
        term=writer.term(change.other or life.key),
        source=writer.site.source_title(change.source),
        release=writer.release(change.release),
    )
    rule = f"about.rule.{change.identity.rule}"
    reason = change.identity.reason
    if reason:
        rule += "-why"
    return Markup("{}: {}").format(decision, writer.say(rule, reason=reason))


def _differences(writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the entries whose words in the source now differ from the published words."""
    releases = writer.site.composed.releases.values()
    for difference in chain.from_iterable(one.differences for one in releases):
        entry = difference.entry
        title = writer.site.source_title(entry.place.source)
        words = [
            (writer.say("about.published-words"), _words(difference.published, writer)),
            (writer.say("about.words-now"), _words(difference.now, writer)),
        ]
        yield {"name": entry.name, "release": f"{title} {entry.place.release}", "words": words}


def _files_with_problems(problems: Iterable[Problem]) -> list[Markup]:
    """Returns each file that has problems, with what was found and at which lines."""
    texts: dict[str, Markup] = {}
    for problem in problems:
        line = f"{problem.line}: " if problem.line else ""
        text = texts.get(problem.path) or file_name(problem.path)
        texts[problem.path] = text + Markup("<br>{}{}").format(line, problem.found)
    return [*texts.values()]


def _words(entry: Entry | None, writer: Writer) -> str:
    return entry.definition.text if entry else writer.say("about.no-words")


def _uses(writer: Writer) -> Iterator[tuple[Markup, str]]:
    """Yields the ways to use the glossary elsewhere, each as a sentence and a snippet to copy: a
    setting of Sphinx, and a script for other pages."""
    base = writer.site.base_url
    if not base:
        return  # the snippets need an absolute address

    sphinx_sentence = writer.say("use.sphinx", role=file_name(":term:"), file=file_name("conf.py"))
    # "glossary-now" may be any name.
    sphinx_setting = f'intersphinx_mapping = {{"glossary-now": ("{base}", None)}}'
    yield sphinx_sentence, sphinx_setting

    script = f'<script src="{base}{urls.EMBED}" defer></script>'
    yield writer.say("use.cards"), script


def introduction(writer: Writer) -> Markup:
    """Returns the sentence that introduces the site, with the number of its terms. If one source
    has a history, it also names the first release that was read."""
    count = len(writer.site.defined)
    with_history = [source for source in writer.site.dated_sources if len(source.releases) > 1]
    if len(with_history) > 1:
        return writer.say("home.what-changes", count)
    for source in with_history:
        for release in source.releases:
            if release.is_read:
                return writer.say("home.what-since", count, first=writer.version(release.name))
    return writer.say("home.what", count)


def origin(writer: Writer) -> Markup:
    """Returns the sentence that says what a release is: a tag of the site's repository, or its
    state at a date. If that is not known to be true, the result is empty."""
    sources = writer.site.dated_sources
    repository = writer.site.settings.repository
    if len(sources) != 1 or not repository or not _is_in_repository(sources[0], writer):
        return Markup()
    releases = sources[0].releases
    if not releases:  # the source could not be read
        return Markup()

    place = _address_link(repository, repository)
    first = releases[0]  # all releases are of one kind
    if first.dated:
        period = PERIODS[first.name.count("-")]
        return writer.say(f"origin.{period}", place=place)
    if first.kind == "tag":
        return writer.say("origin.tag", place=place)
    return Markup()


def _is_in_repository(source: Source, writer: Writer) -> bool:
    """True if a source is kept in the repository of the site."""
    pattern = source.releases[0].line_pattern if source.releases else ""
    if not pattern:
        # The forge is unknown. A source that is not cloned from an address is beside site.toml.
        return not is_address(writer.site.table_of(source).git)
    repository = writer.site.repository
    return repository is not None and pattern.startswith(f"{repository.web.base}/")


def _address_link(address: str, shown: str) -> Markup:
    """Returns a link that shows an address without its scheme."""
    without_scheme = shown.partition("://")[2]
    # Lines may break after each slash.
    label = escape(without_scheme).replace("/", Markup("/<wbr>"))
    return Markup('<a href="{}">{}</a>').format(address, label)
