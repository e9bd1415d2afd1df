"""Text utilities: comparing words and names, sorting, decoding, sanitizing, escaping and
caching."""
