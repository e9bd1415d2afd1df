"""Parses an HTML page and removes everything but its text.

Menus, scripts, hidden elements, links of a heading to itself and line numbers of code are removed.
Code keeps its language, a formula its TeX source. Links within the page become references.
"""

from __future__ import annotations

import re
from itertools import islice
from urllib.parse import unquote

import lxml.html
from lxml import etree

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.elements import Element, text_of
from sitegen.model import Document
from sitegen.text.decoding import NOT_XML, show_only_visible
from sitegen.text.prose import reference_href

PARSER = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
AUXILIARY = frozenset(
    """
    annotation annotation-xml applet area audio base button canvas command dialog embed footer
    frame frameset head iframe input link map meta nav noframes noscript object option script
    search select style svg template textarea video
    """.split()
)
"""Elements without text for readers."""
ROLES = frozenset("banner complementary contentinfo navigation search".split())
"""The roles of elements beside the content."""
CLASSES = re.compile(
    r"(?<![^\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|toc|footer|pagination|cookies?|share|social)(?![^\s_-])",
    re.I,
)
"""The classes of navigation."""
MAY_BE_NAVIGATION = frozenset(
    "article aside center details div dl form header ol p section table td ul".split()
)
"""Elements that may be navigation according to their class or id."""
ANCHORED = frozenset({"p", "section"})
"""Elements whose id is an anchor and may be the name of a term, "menu": only their class may say
that they are navigation. Sphinx writes `<div class="section">` for `<section>`."""
UNSEEN_CLASSES = re.compile(
    r"(?<!\S)(?:sr-only|(?:\w+-)?visually-?hidden|screen-reader-text)(?!\S)", re.I
)
"""Classes of elements that are only read aloud."""
UNSEEN = re.compile(r"(?<![\w-])display\s*:\s*none\b", re.I)
"""A style that hides an element."""
FORMULA = re.compile(r"(?<!\S)(?:katex|katex-display|mwe-math-element|MathJax)(?!\S)")
NOTE_TITLE = re.compile(
    r"(?<!\S)(?:admonition-(?:title|heading)|admonitionHeading_\w+|markdown-alert-title|custom-block-title)(?!\S)"
)
UNFOLDED = frozenset("dd dt h1 h2 h3 h4 h5 h6 li".split())
"""Elements that a script may show although their style hides them, such as definitions that unfold
on a click."""
NAMES = ("dt", "h1", "h2", "h3")
"""Elements that may be the names of terms."""
NAMES_AND_HEADINGS = ("dt", "h1", "h2", "h3", "h4", "h5", "h6")
SELF_LINK_CLASSES = re.compile(
    r"\b(?:headerlink|permalink|header-anchor|heading-anchor|anchorjs-link|viewcode-link)\b"
)
SELF_LINKS = frozenset("¶ # § 🔗 ⚓".split())
LINE_NUMBERS = re.compile(r"(?:line-?numbers?|linenos?|gutter)(?![^\s_-])", re.I)
LETTER = re.compile(r"[^\W\d_]")
LANGUAGE_OF_CLASS = re.compile(
    r"(?<!\S)(?:language|lang|highlight(?:-source)?|brush:)[-\s]\s?([\w+#.-]+)"
)
"""`language-python`, `highlight-source-python`, `brush: python`"""
NO_LANGUAGE = frozenset(
    "code default example highlight literal-block none prettyprint screen".split()
)


def parsed(text: str) -> Element | None:
    """Returns a page as a tree; None if it is empty."""
    try:
        page = etree.fromstring(NOT_XML.sub("", text).encode(), parser=PARSER)
    except etree.XMLSyntaxError:
        return None
    if page is not None:
        show_only_visible(page)
    return page


def content(page: Element) -> Element:
    """Returns the page's `<main>` or the like if there is exactly one, else its body."""
    for path in ("//main", "//*[@role='main']", "//article", "//body"):
        elements = page.xpath(path)
        if len(elements) == 1:
            return elements[0]
    return page


def tidy(content: Element, *, own_name: str) -> None:
    """Removes everything but the text, in place. Links within the page become references. The file
    name of the page is `own_name`."""
    # First the formulas: their source is in an element that is removed with the navigation.
    for source in list(content.iterfind(".//annotation[@encoding='application/x-tex']")):
        _write_formula(source)
    _drop_navigation(content)
    _separate_names(content)
    for title in list(content.iter("p", "div")):
        if NOTE_TITLE.search(title.get("class", "")):
            _write_note_title(title)
    # Sphinx writes a classifier after a name.
    for classifier in content.findall(".//dt/span[@class='classifier']"):
        classifier.drop_tree()
    for pre in list(content.iter("pre")):
        _make_code(pre)
    for link in list(content.iter("a")):
        _refer(link, own_name)


def title(document: Document) -> str:
    """Returns the `<title>` of a page."""
    match = re.search(r"<title\b[^>]*>([^<]{1,300})", document.text, re.I)
    return match[1].strip() if match else ""


def anchors(element: Element) -> tuple[str, ...]:
    """Returns the anchors of an element and of those inside it."""
    names: list[str] = []
    for part in element.iter():
        names += filter(None, (part.get("id"), part.get("name")))
    return tuple(names)


def _write_formula(source: Element) -> None:
    """Replaces a formula with its TeX source: `<span class="math">x^2</span>`."""
    formula = None
    for part in source.iterancestors("math", "span"):
        if part.tag == "math" or FORMULA.search(part.get("class", "")):
            # The last one is the outermost. It has the formula as MathML and as spans, too.
            formula = part
    if formula is None:
        return
    words = text_of(source)
    is_block = formula.get("display") == "block" or "katex-display" in formula.get("class", "")
    formula.clear(keep_tail=True)
    formula.tag = "div" if is_block else "span"
    formula.text = words
    formula.set("class", "math")


def _drop_navigation(content: Element) -> None:
    """Removes what is beside the content: navigation, asides outside of definitions, and links of
    headings to themselves, such as `<a href="#jig">¶</a>`."""
    for element in list(content.iterdescendants()):
        is_aside = element.tag == "aside" and next(element.iterancestors("dd"), None) is None
        is_self_link = element.tag == "a" and _is_self_link(element)
        is_beside = is_aside or is_self_link or element.tag in AUXILIARY
        if is_beside or _is_navigation(element):
            element.drop_tree()


def _is_self_link(link: Element) -> bool:
    if text_of(link) in SELF_LINKS:
        return True
    return SELF_LINK_CLASSES.search(link.get("class", "")) is not None


def _is_navigation(element: Element) -> bool:
    """Returns whether an element is no content: it is hidden, or its role or its classes say so."""
    if element.get("role") in ROLES or _is_hidden(element):
        return True
    classes = element.get("class", "")
    if LINE_NUMBERS.search(classes):  # with letters, the element has the code too
        return LETTER.search(text_of(element)) is None
    if element.tag not in MAY_BE_NAVIGATION:
        return False
    # The id of such an element may be the name of a term.
    is_anchored = element.tag in ANCHORED or classes in ANCHORED
    if not is_anchored:
        classes += f" {element.get('id', '')}"
    if CLASSES.search(classes) is None:
        return False
    # The element that holds the glossary may have such a class by mistake.
    contains_names = next(element.iter(*NAMES), None) is not None
    return not contains_names and not _is_in_name(element)


def _is_hidden(element: Element) -> bool:
    """Returns whether an element is never shown. An element that may unfold on a click is not
    hidden: a definition right below its name, or an element such as a section that only its style
    hides."""
    if UNSEEN_CLASSES.search(element.get("class", "")):
        return True
    if element.get("hidden") not in (None, "until-found"):
        above = element.getprevious()
        unfolds = element.tag == "dd" and above is not None and above.tag == "dt"
        return not unfolds
    is_unseen = UNSEEN.search(element.get("style", "")) is not None
    return is_unseen and element.tag not in UNFOLDED | MAY_BE_NAVIGATION


def _is_in_name(element: Element) -> bool:
    return next(element.iterancestors(*NAMES_AND_HEADINGS), None) is not None


def _separate_names(content: Element) -> None:
    """Moves each name that is inside another one behind that. The parser reads `<dt>A<div><dt>B` as
    B inside A."""
    nested_names = list(content.iterfind(".//dt//dt"))
    # The last one is moved first, so that their order stays.
    for name in reversed(nested_names):
        next(name.iterancestors("dt")).addnext(name)


def _write_note_title(title: Element) -> None:
    """Changes the title of a note. A title that only names the kind of the note, such as "Tip" in
    `<div class="tip">`, gets a class. Another title becomes bold."""
    words = text_of(title)
    title.tag = "p"
    classes_of_note = title.getparent().get("class", "").split()
    if sphinx_markup.names_kind(words, classes_of_note):
        title.clear(keep_tail=True)
        title.text = words
        title.set("class", "note-title")
    else:
        strong = etree.Element("strong")
        strong.text, strong[:] = title.text, title[:]
        title.text, title[:] = None, [strong]
        del title.attrib["class"]


def _refer(link: Element, own_name: str) -> None:
    """Changes a link within the page to a reference, or to the mark of a note. Other links stay."""
    page, _, place = link.get("href", "").partition("#")
    is_in_page = place != "" and page in ("", own_name)
    if not is_in_page:
        return
    if _is_raised(link):
        _mark_note(link)
    else:
        link.set("href", reference_href("#" + unquote(place)))


def _is_raised(link: Element) -> bool:
    """Returns whether a link is inside `<sup>`, or all of its text is."""
    raised = link.find("sup")
    is_all_raised = raised is not None and text_of(raised) == text_of(link)
    return is_all_raised or link.getparent().tag == "sup"


def _mark_note(link: Element) -> None:
    """Replaces a raised link, which leads to a note, with its mark: `[1]`. In a name, the mark is
    left out."""
    words = text_of(link).strip("[]")
    link.clear(keep_tail=True)
    # The mark stays raised: it is in `<sup>`, or becomes one.
    link.tag = "span" if link.getparent().tag == "sup" else "sup"
    if not _is_in_name(link):
        link.text = f"[{words}]"


def _make_code(pre: Element) -> None:
    """Removes the elements of a highlighted code block, and keeps its text and the name of its
    language."""
    for end in pre.iter("br"):
        end.tail = f"\n{end.tail or ''}"
    words = "".join(pre.itertext())
    language = _language(pre)
    pre[:] = []
    pre.text = None
    code = etree.SubElement(pre, "code")
    code.text = words
    if language:
        code.set("class", f"language-{language}")


def _language(pre: Element) -> str:
    """Returns the language of a code block: "python" for the class `language-python` or
    `highlight-python`, or for `python` as the only class. Without such a class, the language is
    empty.

    The class may also be that of one of the two elements around the block, or of one in it.
    """
    elements_around = islice(pre.iterancestors(), 2)
    for element in (pre, *pre.iter("code"), *elements_around):
        named = LANGUAGE_OF_CLASS.search(element.get("class", ""))
        if named and named[1] not in NO_LANGUAGE:
            return named[1]
    classes: list[str] = pre.get("class", "").split()
    if len(classes) == 1 and classes[0] not in NO_LANGUAGE:
        return classes[0]
    return ""
