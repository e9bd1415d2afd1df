"""Records of terms: YAML, JSON, CSV and TSV."""
