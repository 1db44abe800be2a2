"""A library: files, errors, the command line of a module, tools, and what is kept of an unfinished job."""
