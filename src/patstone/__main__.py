"""`python -m patstone` is the same as `patstone`."""

from patstone.cli.main import run

run()
