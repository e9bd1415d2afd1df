"""Assembles the site of each language: the originals with the states of their translations, and the
translations.

The site of a language is an ordinary one, in a folder of its own (`fr/`). Its terms have the slugs
of their originals, and the addresses of its pages in the archive begin with that folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug
from sitegen.history.references import Originals, Resolver
from sitegen.model import Entry, grouped
from sitegen.model.term_translations import SiteLanguage, TermPath, Translation, TranslationPage
from sitegen.permanence.archive import Archive, ArchivedEdition, ArchivedPage, Line
from sitegen.pipeline.one_language import site_of_language
from sitegen.pipeline.source_languages import (
    SourceLanguage,
    source_languages,
    unused_language_tables,
)
from sitegen.site.site import Site
from sitegen.sources.language_tags import language_name
from sitegen.sources.reading import Glossaries
from sitegen.sources.translated_sources import source_table

EntrySlugs = Mapping[tuple[str, str], str]
"""Maps the source and the name of an entry to the slug of its term."""


def site_in_languages(config: Config, glossaries: Glossaries, archive: Archive) -> Site:
    """Returns the site of the originals, with those of all other languages."""
    # Which languages were read, and into which folders do they go?
    read_languages = tuple(source_languages(config, glossaries))
    tables = tuple(one.table for one in read_languages)
    by_folder = grouped((_folder_of(one.table.language), one) for one in read_languages)
    unread_tables = [table for table in config.translations if table not in tables]
    unread_folders: frozenset[str] = frozenset()
    if unread_tables:
        # Which folder an unread table has is not certain: its language may be misspelled. So each
        # published folder that no table was read for is taken to be unread.
        unread_folders = _published_folders(archive).difference(by_folder)

    # The archive of each language. The originals keep the pages of a language that site.toml does
    # not name any more. The pages of unread folders are in archives of their own, which no site
    # uses.
    archives = _split_archive(
        archive,
        ("", *by_folder, *unread_folders),
        folder_of_source={table.id: _folder_of(table.language) for table in tables},
        unread_sources={table.id for table in unread_tables},
    )

    # The site of the originals, then those of the other languages.
    of_originals = site_of_language(replace(config, translations=tables), glossaries, archives[""])
    problems = [*of_originals.problems]
    for source_language in read_languages:
        problems += source_language.problems
    problems += unused_language_tables(config, read_languages)
    unread = tuple(sorted(unread_folders))
    main = replace(of_originals, unread_folders=unread, problems=tuple(problems))
    slugs_of_originals = _slugs_by_entry(main)
    originals = Originals(
        resolver=Resolver(main.lives, language=main.language),
        slugs=main.slugs,
        sources={table.id: table.of for table in tables},
    )
    language_sites = []
    terms: list[PairedTerm] = []
    for folder, read_in_folder in by_folder.items():
        site, terms_of_language = _language_site(
            folder,
            read_in_folder,
            archives[folder],
            config=config,
            slugs_of_originals=slugs_of_originals,
            originals=originals,
        )
        language_sites.append(site)
        terms += terms_of_language
    return _joined(main, language_sites, terms) if language_sites else main


def _folder_of(language: str) -> str:
    """Returns the folder of the site of a language: `pt-br/` for `pt-BR`."""
    return f"{language.lower()}/"


def _published_folders(archive: Archive) -> frozenset[str]:
    """Returns the folders of published languages."""
    published = set()
    for address in archive.by_address:
        folder, _, rest = address.partition("/")
        if rest.startswith("term/"):  # "fr/term/tenseur/", not "term/tensor/"
            published.add(f"{folder}/")
    return frozenset(published)


def _split_archive(
    archive: Archive,
    folders: Iterable[str],
    *,
    folder_of_source: Mapping[str, str],
    unread_sources: Collection[str],
) -> Mapping[str, Archive]:
    """Returns the part of an archive for the site of each language, by the folder of the site. The
    page `fr/term/tenseur/` is in the part of `fr/`, with the address `term/tenseur/`.

    The originals are in the folder "", and so are sources that `folder_of_source` lacks. Releases
    of `unread_sources` are in no part.
    """
    # Pages and editions go into one part. All other lines, such as texts, go into every part.
    parts: dict[str, dict[str, Line]] = {folder: {} for folder in folders}
    for key, line in archive.lines.items():
        if isinstance(line, ArchivedPage):
            first, slash, below = line.address.partition("/")
            folder = first + slash
            if folder in parts:
                parts[folder][key] = replace(line, address=below)
            else:
                parts[""][key] = line
        elif isinstance(line, ArchivedEdition):
            source = archive.present_id(line.source)
            if source not in unread_sources:
                parts[folder_of_source.get(source, "")][key] = line
        else:
            for lines in parts.values():
                lines[key] = line
    return {folder: Archive(lines) for folder, lines in parts.items()}


class PairedTerm(NamedTuple):
    """An original with its translation into one language."""

    language: str
    original_slug: str
    """The slug of the original, in the site of the originals."""
    own_slug: str
    """The slug of the translation, in the site of the language."""
    translation: Translation

    @property
    def is_orphaned(self) -> bool:
        """True if the original is gone."""
        return self.translation.state == "orphaned"

    @property
    def path(self) -> TermPath:
        """Where the page in this language is. Without a translation, it shows the original."""
        address = _folder_of(self.language) + urls.term(self.own_slug)
        return TermPath(address, self.translation.entry is not None)

    @property
    def page(self) -> TranslationPage:
        return TranslationPage(self.path.path, self.translation)


def _language_site(
    folder: str,
    read: Sequence[SourceLanguage],
    archive: Archive,
    *,
    config: Config,
    slugs_of_originals: EntrySlugs,
    originals: Originals,
) -> tuple[Site, Sequence[PairedTerm]]:
    """Returns the site of a language that is not that of the originals, and its terms, each with
    its original. `read` are the sources in the language, `archive` is its part of the archive."""
    slugs_and_translations: list[tuple[str, Translation]] = []
    chosen = []
    for source_language in read:
        for translation in source_language.translations:
            original = translation.original
            entry = translation.entry
            # An original that no release has gets the slug of its name.
            slug = slugs_of_originals.get(_name_of(original)) or slug_of(original.name)
            slugs_and_translations.append((slug, translation))
            # A translation gets the slug of its original, but an orphaned one, whose original is
            # gone, gets that of its own name.
            if entry and translation.state != "orphaned":
                chosen.append(ChosenSlug(name=entry.name, slug=slug, source=entry.place.source))

    site = site_of_language(
        _config_of(config, read, folder),
        Glossaries(sources=tuple([one.source for one in read])),
        archive,
        slugs=chosen,
        originals=originals,
    )

    terms = _paired(site.language, slugs_and_translations, _slugs_by_entry(site))
    return replace(site, folder=folder), terms


def _paired(
    language: str, slugs_and_translations: Iterable[tuple[str, Translation]], own_slugs: EntrySlugs
) -> list[PairedTerm]:
    """Returns the originals with their translations into a language. Each translation comes with
    the slug of its original, and `own_slugs` are the slugs in the site of the language."""
    paired = []
    for slug, translation in slugs_and_translations:
        if translation.entry is None:  # its page shows the original
            paired.append(PairedTerm(language, slug, slug, translation))
            continue
        own_slug = own_slugs.get(_name_of(translation.entry))
        if own_slug:
            paired.append(PairedTerm(language, slug, own_slug, translation))
        # No release has the translation yet, so it counts as missing. Without an original, it has
        # nothing to show.
        elif translation.state != "orphaned":
            missing = Translation(
                language=translation.language,
                state="missing",
                original=translation.original,
                unreleased=translation,
            )
            paired.append(PairedTerm(language, slug, slug, missing))

    # Another source may have the translation that is missing here.
    translated_slugs = set()
    for term in paired:
        if term.path.has_text and not term.is_orphaned:
            translated_slugs.add(term.original_slug)
    terms = []
    for term in paired:
        if term.path.has_text or term.original_slug not in translated_slugs:
            terms.append(term)
    return terms


def _joined(main: Site, language_sites: Iterable[Site], terms: Iterable[PairedTerm]) -> Site:
    """Returns the site of the originals, with the sites of the other languages in it. All of them
    have links to each other. `terms` are those of all other languages."""
    languages = []
    for site in (main, *language_sites):
        languages.append(SiteLanguage(site.language, language_name(site.language), site.folder))
    # An original that no release has is without a page. A removed one is too, though another term
    # may have its slug.
    slugs = {*main.slugs.values()}
    linked = [one for one in terms if one.original_slug in slugs and not one.is_orphaned]
    alternates = _alternates(main, linked)
    own_alternates = _own_alternates(linked, alternates)

    problems = {*main.problems}
    linked_sites = []
    for site in language_sites:
        problems.update(site.problems)
        own_terms = [term for term in terms if term.language == site.language]
        linked_site = replace(
            site,
            languages=tuple(languages),
            alternates=own_alternates[site.language],
            own_translations={term.own_slug: term.translation for term in own_terms},
        )
        linked_sites.append(linked_site)
    return replace(
        main,
        languages=tuple(languages),
        alternates=alternates,
        translations=grouped((term.original_slug, term.page) for term in terms),
        language_sites=tuple(linked_sites),
        problems=tuple(sorted(problems)),
    )


def _alternates(main: Site, linked: Iterable[PairedTerm]) -> Mapping[str, dict[str, TermPath]]:
    """Returns the page of each original in each language, by its slug:
    `{"tensor": {"en": …, "fr": …}}`. If an original `node` has two translations in one language,
    `node` and `node-2`, its page there is that of `node`."""
    alternates = {}
    for slug in main.slugs.values():
        alternates[slug] = {main.language: TermPath(urls.term(slug), has_text=True)}
    for term in linked:
        pages_of_original = alternates[term.original_slug]
        pages_of_original.setdefault(term.language, term.path)
        if term.own_slug == term.original_slug:
            pages_of_original[term.language] = term.path
    return alternates


def _own_alternates(
    linked: Iterable[PairedTerm], alternates: Mapping[str, Mapping[str, TermPath]]
) -> Mapping[str, Mapping[str, Mapping[str, TermPath]]]:
    """Returns the pages of each translation in all languages, by its language and its slug:
    `{"fr": {"tensor": {"en": …, "fr": …}}}`. Of two translations of one original, each has its own
    page in its language."""
    own_alternates: dict[str, dict[str, Mapping[str, TermPath]]] = defaultdict(dict)
    for term in linked:
        paths = {**alternates[term.original_slug], term.language: term.path}
        own_alternates[term.language][term.own_slug] = paths
    return own_alternates


def _slugs_by_entry(site: Site) -> EntrySlugs:
    """Returns the slugs of the terms of a site by the present and the earlier names of their
    entries. If one term had a name, and another one has the name now, the latter counts."""
    present_slugs: dict[tuple[str, str], str] = {}
    earlier_slugs: dict[tuple[str, str], str] = {}
    for life in site.lives:
        slug = site.slugs[life.key]
        for course in life.courses:
            for entry in course.span_entries:
                earlier_slugs.setdefault((course.source.id, entry.name), slug)
            newest = course.entries[-1]
            if newest:
                present_slugs[course.source.id, newest.name] = slug
    return {**earlier_slugs, **present_slugs}


def _name_of(entry: Entry) -> tuple[str, str]:
    """Returns the source and the name of an entry, as in `EntrySlugs`."""
    return entry.place.source, entry.name


TABLES_OF_SOURCES = ("renames", "same", "distinct", "slugs", "corrected", "retired")
"""The kinds of tables in `Config` that name a source."""


def _config_of(config: Config, own: Sequence[SourceLanguage], folder: str) -> Config:
    """Returns the configuration of the site of a language: its sources, and the tables about
    these."""
    originals = {table.id: table for table in config.sources}
    sources = {}
    for source in own:
        original = originals[source.table.of]  # the source of which it is a translation
        sources[source.table.id] = source_table(original, source.table)
    language = own[0].table.language  # all of them have the same
    tables: dict[str, Any] = {}
    for kind in TABLES_OF_SOURCES:
        of_all_sources = getattr(config, kind)
        tables[kind] = tuple(table for table in of_all_sources if table.source in sources)
    base_url = config.site.base_url
    if base_url:
        base_url += folder
    # The site of the originals has the files for the host and the redirects, and reports problems.
    return replace(
        config,
        **tables,
        site=replace(config.site, language=language, host="", base_url=base_url),
        sources=tuple(sources.values()),
        translations=(),
        redirect=(),
        problems=(),
    )
