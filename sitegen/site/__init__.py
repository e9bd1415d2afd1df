"""The site as values: pages, search index, exports and messages, and the templates that pages are rendered with."""
