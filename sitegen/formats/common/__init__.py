"""What several formats share: from headings, roles and directives to entries."""
