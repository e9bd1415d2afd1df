"""AsciiDoc: labelled lists, and sections with text, in a subset of the language, read without Asciidoctor."""
