"""Computes the site: pages, search index, exports and messages, and the templates that render
pages."""
