"""A library: files, errors, command lines of modules, tools, and the kept state of unfinished jobs."""
