"""Whether bots can be run in a sandbox on this machine."""

from __future__ import annotations

import pytest

from polyversi.gameplay.bots import SandboxError, check_sandbox

try:
    check_sandbox()
    MISSING = ""
except SandboxError as error:
    MISSING = f"bubblewrap (bwrap) is needed: {error}"
needs_sandbox = pytest.mark.skipif(bool(MISSING), reason=MISSING)
