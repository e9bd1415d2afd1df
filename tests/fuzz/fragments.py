"""Fragments of the markup of every format, which `fuzzing.py` joins into documents."""

from __future__ import annotations

SHARED = (
    "Leaf", "A tree.", "\n", "\n\n", " ", "  ", "    ", "\t", "*", "**", "`", "``", "_", "<", ">", "&amp;", "&#0;", "&#x202e;",
    "|", "\\", "[", "]", "(", ")", ":", "::", "---", "===", "- ", "* ", "+ ", "1. ", "é", "\u0301", "\u200d", "\U0001f333", "#",
    "http://a.b/", "![a](b)", "[a](b)", "{", "}", "~", "^", "'", '"', "\x0b", "\u2028", "İ", "\x85", "a" * 200, "(" * 50,
)  # fmt: skip
FRAGMENTS: dict[str, tuple[str, ...]] = {
    "sphinx": (
        ".. glossary::\n", "   :sorted:\n", "\n   leaf\n      A leaf.\n", "   leaf : x\n", ".. note::\n\n", ".. |a| replace:: |b|\n",
        ":term:`leaf`", ":term:`a <b>`", "`a`_", ".. _a: b\n", "a\n===\n", "* - a\n", ".. list-table::\n", "+--+--+\n", "|a |b |\n",
        ".. code::\n\n   x\n", ".. include:: /etc/passwd\n", ".. raw:: html\n\n   <b>\n", "[#a]_", ".. [#a] b\n", "term\n  definition\n",
        "| line\n", ">>> x\n", "::\n\n  x\n", "=== ===\na   b\n=== ===\n", ".. image:: x\n", ":a: b\n", "-a  b\n", "|a|",
    ),
    "markdown": (
        "# Glossary\n\n", "## Leaf\n\n", "Leaf\n: A leaf.\n", "**Leaf**: a leaf.\n\n", "- **Leaf**: a\n", "| a | b |\n|---|---|\n", "| a | b |\n",
        "> ", "```\n", "~~~\n", "<dl><dt>a</dt><dd>b</dd></dl>\n", "[a]: b\n", "[a][b]", "[^a]", "[^a]: b\n", "<div>\n", "</div>\n", "***",
        "<!-- ", "-->", "[[", "]]", "---\ntitle: a\n---\n", "<a id=x></a>", "{#id}", "\\\n", "![", "](", "<b", "=\n", "1) ",
        "[[def: leaf, a]]\n: A leaf.\n", "[[ref: leaf]]", "~ A leaf.\n", "*[HTML]: Hyper\n", "import A from 'b'\n", "<Term id='a'>", "</Term>", "{/* a */}", "{a}",
        "::: note\n", ":::\n", "{% a %}", "{{< a >}}", "[a](<b> 'c')", "!!! note\n", "??? a\n", "==a==", "~~", "H~2~", "$a$", "term : a\n", "http://a.b", "<http://a>",
    ),
    "myst": (
        "```{glossary}\n", ":::{glossary}\n", "```\n", ":::\n", "leaf\n  A leaf.\n", "Leaf\n: A leaf.\n", "{term}`leaf`", "(a)=\n", "$a$", "$$\n",
        "% comment\n", "+++\n", "```{note}\n", "````{list-table}\n", "{a}`", "---\na: b\n---\n", "[](#a)", "{{ a }}",
    ),
    "html": (
        "<dl>", "</dl>", "<dt>Leaf", "</dt>", "<dd>A leaf.", "</dd>", "<dl class=glossary>", "<h2>", "</h2>", "<table>", "<tr>", "<td>", "</table>",
        "<p>", "<div>", "</div>", "<b>", "</b>", "<script>", "</script>", "<svg>", "<math>", "<template>", "<!--", "-->", "<![CDATA[", "<?x",
        "<a href=javascript:x>", "</a>", "<a name=x>", "<ul><li>", "<pre>", "<style>", "<meta charset=utf-16>", "<plaintext>", "&#27;", "<section id=a>",
    ),
    "yaml": (
        "terms:\n", "- term: Leaf\n  definition: A leaf.\n", "leaf: A leaf.\n", "a: &a [*a]\n", "&a ", "*a", "!!python/object:os.system x\n",
        "? ", "- ", "  ", "|\n  x\n", ">\n  x\n", "{a: b}", "[", "]", '"\\e"', "<<: *a\n", "%YAML 1.1\n", "---\n", "...\n",
    ),
    "json": (
        '{"terms": [', '{"term": "Leaf", "definition": "A leaf."},', "]}", '{"', '": ', "[", "]", "{", "}", '"\\u001b"', '"\\ud800"', "1e999", "9" * 400,
        "null", "true", ",", '"Leaf": "A leaf.",',
    ),
    "table": ("term,definition\n", "Leaf,A leaf.\n", '"', '""', ",", "\t", "term\tdefinition\n", ";", '"a\nb",', "\r"),
    "asciidoc": (
        "= Glossary\n\n", "== Leaf\n\n", "[glossary]\n", "Leaf:: A leaf.\n", "Leaf::\n  A leaf.\n", "a::: b\n", "[[id]]", "<<id>>", "<<id,a>>",
        "[#id]\n", "// x\n", "////\n", "----\n", "====\n", "|===\n", "|a |b\n", "+\n", "* a\n", ". a\n", "{a}", ":a: {a}{a}\n", "ifdef::a[]\n",
        "endif::[]\n", "include::/etc/passwd[]\n", "link:a[b]", "image::a[]\n", "pass:[<b>]", "++++\n", "`+a+`", "##a##", "footnote:[a]", "term:[a]",
    ),
    "docbook": (
        "<glossary>", "</glossary>", "<glossentry xml:id='a'>", "</glossentry>", "<glossterm>Leaf</glossterm>", "<glossdef><para>A leaf.</para></glossdef>",
        "<glosssee otherterm='a'/>", "<!DOCTYPE a [<!ENTITY a 'b'>]>", "<!DOCTYPE a [<!ENTITY a "
                                                                       "SYSTEM '/etc/passwd'>]>", "&a;", "<para>", "</para>",
        "<itemizedlist><listitem>", "<link xlink:href='javascript:x'>", "<![CDATA[", "]]>", "<?x ", "<!--", "-->", "<a xmlns='b'>", "<glossdiv>", "<acronym>", "&#x1b;",
    ),
    "skos": (
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n", "<#leaf> a skos:Concept ;\n "
                                                                    "skos:prefLabel \"Leaf\"@en "
                                                                    ";\n skos:definition \"A "
                                                                    "leaf.\"@en .\n",
        "<#a> skos:broader <#a> .\n", "[ ", "] ", "( ", ") ", "; ", ", ", "'''", '"""', "<", ">", "_:a ", "@en", "^^<a>", "a ", ". ", "1e9 ", "# x\n",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        "xmlns:skos='http://www.w3.org/2004/02/skos/core#'>",
        "<skos:Concept rdf:about='a'><skos:prefLabel>Leaf</skos:prefLabel></skos:Concept>", "</rdf:RDF>", '{"@context": ', '"@graph": [', "{", "}", '"@id": "a",', "\\u0041",
    ),
    "text": ("Leaf\n    A leaf.\n\n", "Leaf - A leaf.\n", "Leaf: A leaf.\n", "LEAF\n\n", "=====\n", "  * ", "1.2 Leaf\n", "Leaf -- A\n", "\f"),
}  # fmt: skip
ENDINGS = {
    "sphinx": "rst", "myst": "md", "markdown": "md", "html": "html", "yaml": "yaml", "json": "json", "table": "csv", "text": "txt",
    "asciidoc": "adoc", "docbook": "dbk", "skos": "ttl",
}  # fmt: skip
