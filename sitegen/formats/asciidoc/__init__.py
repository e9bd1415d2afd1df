"""AsciiDoc: labelled lists, and sections with text, in a subset of the language that is read without Ruby."""
