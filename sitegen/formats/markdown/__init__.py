"""Markdown: glossaries as headings, bold terms, lists, tables, or a file for each term."""
