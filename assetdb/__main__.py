"""``python -m assetdb``: the command line where no console script is installed."""

import sys

from assetdb.cli import main

sys.exit(main())
