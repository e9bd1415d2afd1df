"""The command line: a module for each command. It reads options, calls the function for the work,
and prints."""
