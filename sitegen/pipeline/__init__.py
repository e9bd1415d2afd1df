"""From sources to a folder on disk: the pipeline, worker processes, staging and output."""
