"""Reading pages behind a login by reviewed contract, and nothing else."""
