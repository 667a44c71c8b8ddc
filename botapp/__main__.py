"""`python -m botapp` is the same as the `botapp` command."""

import sys

from botapp.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
