"""Code that several formats use: headings, roles, directives, and from names with definitions to entries."""
