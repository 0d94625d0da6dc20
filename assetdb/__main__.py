"""``python -m assetdb``: the command line where no console script is installed."""

import os
import sys

from assetdb.cli import main, may_exit_at_once

may_exit = may_exit_at_once()
code = main()
sys.stdout.flush()
sys.stderr.flush()
if may_exit:
    os._exit(code)  # all is written: taking the interpreter down takes 3 ms, a tenth of a bake that changes nothing
sys.exit(code)
