"""A library: files, errors, command lines of modules, tools, unfinished jobs, defaults of rules."""
