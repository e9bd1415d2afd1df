"""Text utilities: comparing words and names, sorting, decoding, sanitising, escaping and caching."""
