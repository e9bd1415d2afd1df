"""Made-up Markdown of parts that may change what stands around them."""

from __future__ import annotations

from hypothesis import strategies as st

from sitegen.model import Document

PIECES = (
    "# Glossary\n,## A\n,## A\n,### b\n,words,`code`,[x],[x][y],[x]: /u\n,[y]: #a\n,  [z]: /u "
    "'t\n,[^1],[^1]: note\n,"
    "[^2],\n[^2]: see [x] and [^1]\n,- [^2]: deep\n,"
    "**Name**: text,**Name**\n,\n\n,\n\n,\n\n,\n,- item\n,  more\n,    deep\n,> quote\n,```\n"
    ",~~~ x\n,::: tip\n,"
    ":::\n,!!! note\n,<!--,-->\n,<div>\n,</div>\n,<a name='x'></a>\n,<h2>raw</h2>\n,---\n,===\n"
    ",$$\n,$,"
    ": definition\n,term\n,| a | b |\n,|---|---|\n"
    ",{#id},[[toc]],[top](#glossary),\\,<script>,</script>,*,_,&amp;,"
    "<dl>\n,<dt>x,<dd>\n,</dl>\n,{: .x},{: .x}\n,*[A]: b\n,{{< glossary_tooltip term_id='b' "
    ">}},{{< x >}},<br>"
).split(",")

texts = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces) + "\n")


def document(text: str, *, format: str = "") -> Document:
    return Document(
        source="s", release="1", path="1/GLOSSARY.md", name="GLOSSARY.md", text=text, format=format
    )


DOCUMENT = document("")
