"""A site's file: what is wrong in it is told in a sentence that names what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyversi.site.settings import SiteError, read_site


@pytest.mark.parametrize(("line", "problem"), [
    ('languages = ["pyton"]', "there is no language 'pyton'; languages are python, json-python, javascript, "
                              "executable, xt; did you mean 'python'?"),
    ('languages = ["python", "Cobol"]', "there is no language 'Cobol'; languages are python, json-python"),
    ('cluster = "somewhere"', "'somewhere' is not the address of a dask scheduler; write it such as tcp://"),
    ('cluster = "10.0.0.1:8786"', "is not the address of a dask scheduler"),
    ('cluster = "tcp://10.0.0.1"', "is not the address of a dask scheduler"),
    ('cluster = "tcp://10.0.0.1:port"', "is not the address of a dask scheduler"),
])
def test_what_is_wrong_is_told(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f"{line}\n")
    with pytest.raises(SiteError) as refused:
        read_site(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert problem in str(refused.value)


@pytest.mark.parametrize("line", [
    'languages = ["xt"]', "languages = []", 'cluster = ""', 'cluster = "tcp://10.0.0.1:8786"',
    'cluster = "tls://scheduler.example:8786"', 'cluster = "tcp://[fe80::1]:8786"',
])
def test_what_is_right_is_taken(line: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f"{line}\n")
    name = line.partition(" ")[0]
    assert repr(getattr(read_site(path).settings, name))
