"""The tables of site.toml: their keys and the defaults.

Each class is a table, and its fields are the table's keys; `values` has their types, and `checks`
the rules that involve several tables. The class and field docstrings are printed in the reference
of site.toml. Values of site.toml are validated; those that the program makes itself are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from sitegen.config import SITE_TOML, values
from sitegen.config.patterns import matches_any
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.release_names import is_prerelease


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A table that decides something about terms or addresses."""

    # No key sets it, as it is not compared (`text.schema.validator`).
    line: int = field(default=0, compare=False)
    """Its line in site.toml; 0 if unknown."""

    def settings_problem(self, found: str, wanted: str) -> Problem:
        """Returns a problem of this table, at its line."""
        return Trouble(ProblemKind.SETTINGS, found, wanted).at(SITE_TOML, line=self.line)


@dataclass(frozen=True, kw_only=True)
class SiteTable:
    """[site]: the site as a whole."""

    title: values.WrittenName = "Glossary"
    """The title of the site."""
    base_url: values.BaseAddress = ""
    """The address at which the site is published. Feeds, the sitemap and copied links need it."""
    language: values.Language = "en"
    """The language of the glossary, as in `en`, `de` or `pt-BR`. The interface is in the same
    language if sitegen has its texts, else in English."""
    repository: values.WebAddress = ""
    """The repository on a forge, for “Edit source” and “Report a problem”. If site.toml is not at
    its top, the address of its folder there, with `/tree/main/content`."""
    note: values.PlainText = ""
    """Who wrote the texts, for the about page, and in short for the first page and the footer
    of others."""
    output: values.OutputPath = ""
    """The folder that the site is written to; empty: `site`."""
    host: values.HostName = ""
    """The host. For `netlify` and `cloudflare` the site has `_headers`."""
    exports: values.ExportNames = ()
    """Further files for other tools: `abbreviations` and `links`, for Markdown."""


@dataclass(frozen=True, kw_only=True)
class ReleaseTable:
    """[[release]]: a release, with its date and link. The order of these tables is the order of the
    releases."""

    name: values.WrittenName
    """The release."""
    date: values.Day | None = None
    """Its date, if neither git nor the name has it."""
    link: values.WebAddress = ""
    """The address of its announcement."""
    unreleased: bool = False
    """True if it is not released yet; nothing about it is promised."""
    final: bool = False
    """True if its words are final; else those of the newest folder or dated state may be edited,
    until there is a later one."""
    source: str = ""
    """The id of the source. Empty: every source that has a release of this name."""


@dataclass(frozen=True, kw_only=True)
class SourceTable(Declaration):
    """[[source]]: where a glossary is kept (`folder`, `files`, `file` or `git`) and how to read
    it."""

    id: values.Id
    """A short name that stays, of letters, digits and hyphens."""
    title: values.PlainText = ""
    """Its title on pages. Empty: the id."""
    folder: values.RelativePath = ""
    """A folder that holds a folder for each release."""
    files: dict[values.WrittenName, values.RelativePath] = field(default_factory=dict)
    """The file or folder of each release, by the release's name."""
    file: values.RelativePath = ""
    """One undated document, which has no history."""
    git: values.RepositoryAddress = ""
    """A repository, each of whose tags is a release: a folder, or an address to clone."""
    paths: values.Paths = ()
    """In git: files, folders or patterns. The first that a release has is read."""
    tags: values.NameList = ()
    """Patterns for the tags that are releases. Empty: the tags that name a version of the
    project."""
    exclude: values.NameList = ()
    """Patterns for tags or branches that are not releases."""
    prereleases: bool = False
    """True if release candidates are releases too."""
    head: str = ""
    """A branch that is read as an unreleased state; `HEAD` is the current one."""
    by: values.PeriodName = ""
    """The releases are dated states of a branch, one for each `day`, `month` or `year` with a
    change; with `tags`, up to the first of these tags. `auto`: only where there are no tags, with a
    period that gives at most 60; once published, it stays."""
    branches: values.NameList = ()
    """Patterns for branches, each of which is a release."""
    versions: values.Versions = ""
    """A path with `{version}` for the folders that are releases: `docs/{version}/glossary.md`."""
    retrieved: values.Day | None = None
    """The day on which an undated document was taken."""
    complete: bool = False
    """True if the glossary was new in the first release that is read."""
    format: values.FormatName = ""
    """The format, if it is not recognized correctly."""
    section: values.PlainText = ""
    """The heading of the section that is read of a larger file."""
    encoding: values.Encoding = ""
    """The character set of files that neither declare one nor are UTF-8."""
    formerly: values.IdList = ()
    """Ids that it had before, under which addresses were published."""
    url: values.WebAddress = ""
    """The address of the source, for the about page."""
    docs_url: values.PageAddress = ""
    """The address of the published glossary, with `{version}` for the release and `{name}` for the
    name of the file. Links to other documents lead to their pages there."""
    license: values.PlainText = ""
    """Its license, for the about page."""
    note: values.PlainText = ""
    """A text for the about page."""

    def reason_to_skip(self, tag: str) -> Literal["excluded", "other", "pre-release"] | None:
        """Returns the reason why this table leaves a tag out, or None. `v0.9` is "excluded" by
        `exclude = ["v0*"]`, and `v1.0rc1` is a "pre-release"."""
        if matches_any(tag, self.exclude):
            return "excluded"
        if self.tags and not matches_any(tag, self.tags):
            return "other"
        if not self.prereleases and tag not in self.tags and is_prerelease(tag):
            return "pre-release"
        return None

    def problem(self, trouble: Trouble, *, place: str) -> Problem:
        """Returns a problem at the line of this table. A table that is in no file has no line: then
        the problem is at `place`."""
        return trouble.at(SITE_TOML, line=self.line) if self.line else trouble.at(place)


@dataclass(frozen=True, kw_only=True)
class TranslationTable(Declaration):
    """[[translation]]: a source in another language, in its own files. Each language is a site
    below `/LANGUAGE/`."""

    of: str
    """The id of the source that it translates, which is in git."""
    language: str
    """Its language, as in `fr` or `pt-BR`."""
    paths: values.Paths = ()
    """Its files, folders or patterns, the newest first. Empty: the paths of the source."""
    git: values.RepositoryAddress = ""
    """The repository that it is in, if that is another one."""

    @property
    def id(self) -> str:
        """The id of the translation as a source of its own."""
        return f"{self.of}-{self.language.lower()}"

    @property
    def is_within(self) -> bool:
        """True if it is in the files of its original, which have several languages."""
        return not (self.paths or self.git)


@dataclass(frozen=True, kw_only=True)
class Current(Declaration):
    """[[current]]: a translation was made from the words of a release of its original, whatever the
    commits say."""

    language: str
    """The language of the translation."""
    term: values.WrittenName
    """The name of the original."""
    release: str
    """The release of the original whose words it translates."""


@dataclass(frozen=True, kw_only=True)
class Rename(Declaration):
    """[[rename]]: a term was renamed, which the texts alone do not show."""

    source: str
    """The id of the source."""
    old: values.WrittenName
    """The name before."""
    new: values.WrittenName
    """The name after."""
    release: str = ""
    """The release with the new name. With it, another term may have the old name from there on."""
    reason: values.PlainText = ""
    """A reason, which the page shows."""


@dataclass(frozen=True, kw_only=True)
class Same(Declaration):
    """[[same]]: these names mean one term."""

    kind: ClassVar = "same"
    names: Annotated[tuple[values.WrittenName, ...], ("min_length", 2)]
    """The names."""
    source: str = ""
    """The id of the source. Empty: every source."""
    language: str = ""
    """The language of a translation: the names are those of an original and of its translation."""
    reason: values.PlainText = ""
    """A reason, which the page shows."""


@dataclass(frozen=True, kw_only=True)
class Distinct(Declaration):
    """[[distinct]]: these names mean different terms. A single name means a different term in each
    source."""

    kind: ClassVar = "distinct"
    names: Annotated[tuple[values.WrittenName, ...], ("min_length", 1)]
    """The names."""
    source: str = ""
    """The id of the source. Empty: every source."""
    reason: values.PlainText = ""
    """A reason, which the page shows."""


Verdict = Same | Distinct


@dataclass(frozen=True, kw_only=True)
class Retired(Declaration):
    """[[retired]]: published releases that are no part of the glossary any more. Their pages stay,
    and say why."""

    reason: values.WrittenReason
    """The reason, which the pages show."""
    source: str = ""
    """The id of the source: all its releases, or those in `release`."""
    releases: values.TextList = ()
    """The releases. Without `source`, those of every source."""

    def withdraws(self, source: str, release: str) -> bool:
        """True if this table names a release or its source."""
        if self.source not in ("", source):
            return False
        return not self.releases or release in self.releases


@dataclass(frozen=True, kw_only=True)
class Corrected(Declaration):
    """[[corrected]]: the words that a published release has now are taken over. `sitegen correct`
    writes it."""

    source: str
    """The id of the source."""
    release: str
    """The release."""
    reason: values.WrittenReason
    """The reason, which the pages of the terms with other words show."""
    date: values.Day | None = None
    """The day of the correction."""


@dataclass(frozen=True, kw_only=True)
class Continues(Declaration):
    """[[continues]]: a release is right, although few terms of the one before it go on in it."""

    source: str
    """The id of the source."""
    release: str = ""
    """The release. Empty: that of a glossary without releases."""
    reason: values.WrittenReason
    """The reason, for those who read site.toml."""


@dataclass(frozen=True, kw_only=True)
class ChosenSlug(Declaration):
    """[[slug]]: the part of a term's address that is chosen for a name before it is published."""

    name: values.WrittenName
    """The name of the term."""
    slug: values.Slug
    """The part of the address: `/term/SLUG/`."""
    source: str = ""
    """The id of the source. Empty: every source."""


@dataclass(frozen=True, kw_only=True)
class Withheld(Declaration):
    """[[withheld]]: words that must not be shown any more, at any release."""

    reason: values.WrittenReason
    """The reason, which the page shows in place of a definition."""
    terms: values.NameList = ()
    """Names of terms whose definitions are withheld."""
    texts: values.NameList = ()
    """Texts, such as the name of a person, that are withheld wherever they are."""


@dataclass(frozen=True, kw_only=True)
class RedirectTable:
    """[[redirect]]: pages of an earlier glossary, which lead on to the terms."""

    old: values.OldPages
    """Addresses from the site's root: `glossary.html`, `docs/glossary/`."""


@dataclass(frozen=True, kw_only=True)
class LinkTable:
    """A link of the header or the footer: { text = "Project", url = "https://example.org/" }."""

    text: values.WrittenName
    url: values.WebAddress


@dataclass(frozen=True, kw_only=True)
class ThemeTable:
    """[theme]: the look of the site. Files and folders are beside site.toml."""

    logo: values.PicturePath = ""
    """A picture for the header."""
    favicon: values.PicturePath = ""
    """A picture for the browser's tab."""
    accent: values.Accent = ""
    """The color of links and bars on white, as #rrggbb; a dark page has a lighter tint of it."""
    header: tuple[LinkTable, ...] = ()
    """Links before ours, the project's home first."""
    footer: tuple[LinkTable, ...] = ()
    """Links in the footer."""
    footer_text: values.PlainText = ""
    """A text in the footer."""
    style: values.RelativePath = ""
    """A style sheet, which follows ours."""
    html: values.RelativePath = ""
    """A folder of HTML for every page: `head.html`, `header.html` and `footer.html`."""
    pages: values.PagesPath = ""
    """A folder of Markdown files, each a page at `pages/NAME/`. content/site.toml may name
    `../docs`."""
    files: values.RelativePath = ""
    """A folder of files that are published with the site as they are, such as `CNAME`."""


@dataclass(frozen=True, kw_only=True)
class CheckTextTable:
    """[check-text]: what `sitegen check-text` leaves out, besides changelogs, what's-new pages and
    the glossary itself."""

    exclude: values.NameList = ()
    """Patterns for paths below the current folder that are not checked: `docs/archive/*`."""
    ignore: values.NameList = ()
    """Names that are not reported."""


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The whole file."""

    site: SiteTable = field(default_factory=SiteTable)
    theme: ThemeTable = field(default_factory=ThemeTable)
    check_text: CheckTextTable = field(default_factory=CheckTextTable)
    releases: tuple[ReleaseTable, ...] = ()
    sources: tuple[SourceTable, ...] = (SourceTable(id="glossary", folder="."),)
    translations: tuple[TranslationTable, ...] = ()
    current: tuple[Current, ...] = ()
    renames: tuple[Rename, ...] = ()
    same: tuple[Same, ...] = ()
    distinct: tuple[Distinct, ...] = ()
    retired: tuple[Retired, ...] = ()
    redirect: tuple[RedirectTable, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    corrected: tuple[Corrected, ...] = ()
    continues: tuple[Continues, ...] = ()
    slugs: tuple[ChosenSlug, ...] = ()
