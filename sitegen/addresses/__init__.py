"""Slugs, and the addresses of all pages."""
