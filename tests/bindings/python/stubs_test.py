"""The type stubs against the package, by mypy's stubtest."""

import subprocess
import sys

import pytest


# Catches a name without a stub, a stub without a name, and parameters that differ.
def test_stubs(tmp_path):
    pytest.importorskip("mypy")
    settings, allowed = tmp_path / "mypy.ini", tmp_path / "allowed"
    settings.write_text("[mypy]\nignore_missing_imports = True\n")
    allowed.write_text("longmul.__all__\n")
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "longmul", "--concise", "--mypy-config-file", settings,
         "--allowlist", allowed], capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
