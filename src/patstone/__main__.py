"""`python -m patstone` is the same as `patstone`."""

import sys

from patstone.cli.main import main

sys.exit(main())
