"""Records of terms: YAML and JSON (`yaml`), and tables (`csv_tables`)."""
