"""``python -m structron.cli``."""

import sys

from structron.cli import main

sys.exit(main())
