"""The cost of a run, from its graph of jobs, before any job runs."""
