"""``python -m structron``."""

import sys

from structron.cli import main

sys.exit(main())
