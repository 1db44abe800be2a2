"""What a run will cost, from its graph of jobs, before any job runs."""
