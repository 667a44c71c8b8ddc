"""Runs the command line: `python -m hrm`."""

import sys

from hrm.cli import main

if __name__ == "__main__":
    sys.exit(main())
