"""Reading pages behind a login, by the routes of a contract that a person has reviewed; nothing else."""
