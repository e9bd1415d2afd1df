"""From sources to a folder on disk: the pipeline, worker processes, staging, output and the build
cache."""
