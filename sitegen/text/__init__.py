"""Words, names, order, decoding, sanitizing and escaping of text. Nothing here knows what a glossary is."""
