"""One glossary in several formats gives the same words: a change of format is not a rewording."""

from __future__ import annotations

import pytest

from sitegen import formats
from sitegen.model import Document, Entry
from sitegen.text.words import words_of

MARKDOWN_FOOTNOTE = """
# Glossary

## node

A machine[^1] that runs pods.

[^1]: Real or virtual.

## pod

The smallest unit.
"""
RST_FOOTNOTE = """
.. glossary::

   node
      A machine [1]_ that runs pods.

      .. [1] Real or virtual.

   pod
      The smallest unit.
"""
HTML_FOOTNOTE = """
<dl class="glossary">
<dt id="term-node">node{mark}</dt>
<dd><p>A machine{mark} that runs pods.</p><p>[1] Real or virtual.</p></dd>
<dt id="term-pod">pod</dt><dd><p>The smallest unit.</p></dd>
</dl>
"""
MARKS = (
    '<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>',
    '<sup><a href="#user-content-fn-1-0a" id="user-content-fnref-1-0a" '
    "data-footnote-ref>1</a></sup>",
    '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
    '<sup class="reference" id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup>',
)
RST_REMARK = """
.. glossary::

   node
      A machine.

      .. versionadded:: 3.2

   pod
      The smallest unit.

      .. deprecated:: 4.0
         Say cell.
"""
HTML_REMARK = """
<dl class="glossary">
<dt id="term-node">node</dt>
<dd><p>A machine.</p>
<div class="versionadded"><p><span class="versionmodified added">Added in version 3.2.</span></p></div></dd>
<dt id="term-pod">pod</dt>
<dd><p>The smallest unit.</p>
<div class="deprecated"><p><span class="versionmodified deprecated">Deprecated since version 4.0: </span>Say
cell.</p></div></dd>
</dl>
"""
RST_BREAK = """
.. |br| raw:: html

   <br>

.. glossary::

   node
      A machine. |br|
      Real or virtual.

   pod
      The smallest unit.
"""
HTML_BREAK = """
<dl class="glossary">
<dt id="term-node">node</dt><dd><p>A machine.<br> Real or virtual.</p></dd>
<dt id="term-pod">pod</dt><dd><p>The smallest unit.</p></dd>
</dl>
"""
RST_BOLD = """
**node**
   A machine, see :ref:`pods <pod>`.

**pod**
   The smallest unit.
"""
RST_PLAIN = """
.. glossary::

   node
      A machine, see :ref:`pods <pod>`.

   pod
      The smallest unit.
"""
RST_CAPTION = """
.. glossary::

   node
      A machine.

      .. code-block:: python
         :caption: How to make *one*

         x = Node()

   pod
      The smallest unit.
"""
MYST_CAPTION = """
```{glossary}
node
  A machine.

  ~~~{code-block} python
  :caption: How to make *one*

  x = Node()
  ~~~

pod
  The smallest unit.
```
"""
HTML_CAPTION = """
<dl class="glossary">
<dt id="term-node">node</dt><dd><p>A machine.</p>
<div class="literal-block-wrapper"><div class="code-block-caption"><span class="caption-text">How to make
<em>one</em></span></div><div class="highlight"><pre>x = Node()</pre></div></div></dd>
<dt id="term-pod">pod</dt><dd><p>The smallest unit.</p></dd>
</dl>
"""
RST_TITLED = """
.. glossary::

   node
      A machine.

      .. admonition:: Mind this

         It may be virtual.

   pod
      The smallest unit.

      .. note:: It is short-lived.
"""
MARKDOWN_TITLED = """
# Glossary

## node

A machine.

{node}

## pod

The smallest unit.

{pod}
"""
TITLED = (
    '!!! note "Mind this"\n    It may be virtual.',
    ":::note Mind this\nIt may be virtual.\n:::",
)
NAMED = (
    '!!! note "Note"\n    It is short-lived.',
    ":::note\nIt is short-lived.\n:::",
    "> [!NOTE]\n> It is short-lived.",
    "!!! bug\n    It is short-lived.",
)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(
            (MARKDOWN_FOOTNOTE, RST_FOOTNOTE, *(HTML_FOOTNOTE.format(mark=mark) for mark in MARKS)),
            id="footnote",
        ),
        pytest.param((RST_REMARK, HTML_REMARK), id="remark on a version"),
        pytest.param((RST_BREAK, HTML_BREAK), id="break"),
        pytest.param((RST_CAPTION, MYST_CAPTION, HTML_CAPTION), id="caption"),
        pytest.param(
            (
                RST_TITLED,
                *(MARKDOWN_TITLED.format(node=node, pod=pod) for node in TITLED for pod in NAMED),
            ),
            id="titles of notes",
        ),
        pytest.param((RST_BOLD, RST_PLAIN), id="names in bold"),
    ],
)
def test_same_words(texts: tuple[str, ...]) -> None:
    """In every format, the glossary has the same names with the same words."""
    result = [{entry.name: words_of(entry.definition) for entry in read(text)} for text in texts]
    assert [*result[0]] == ["node", "pod"]
    assert all(other == result[0] for other in result[1:])


def read(text: str) -> tuple[Entry, ...]:
    document = Document(
        source="example", release="1.0", path="glossary", name="glossary", text=text.lstrip()
    )
    reading = formats.read(document)
    assert not reading.problems
    return reading.entries
