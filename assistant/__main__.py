"""`python -m assistant` is the same as the command `assistant`."""

import sys

from assistant.cli import main

sys.exit(main())
