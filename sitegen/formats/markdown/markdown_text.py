"""Renders a definition that is one Markdown text: the value of a record, or of front matter."""

from __future__ import annotations

import re
from html import escape

from sitegen.formats.markdown import site_markup
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import Context
from sitegen.text.memo import memo

MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)


@memo
def html_of(text: str) -> str:
    """Returns the HTML of a definition, which may have Markdown in it, and shortcodes."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    markdown, left_out = site_markup.translated(text)
    # A text with a tag that would be left out is not translated.
    return Context(address=to_reference).html(text if left_out else markdown)
