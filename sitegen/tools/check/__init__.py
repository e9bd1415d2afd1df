"""Finds what is wrong with a glossary and with the site that is built from it."""
