"""HTML: definition lists, and pages of headings and paragraphs."""
