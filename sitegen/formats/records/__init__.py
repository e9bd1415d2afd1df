"""Reads records of terms: YAML, JSON, CSV and TSV."""
