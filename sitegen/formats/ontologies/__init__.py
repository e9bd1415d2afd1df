"""Ontologies and vocabularies: SKOS in RDF, and OBO."""
