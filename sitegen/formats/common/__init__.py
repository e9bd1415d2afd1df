"""Code that several formats use: headings, roles, directives, and turning names with definitions
into entries."""
