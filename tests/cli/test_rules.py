"""`polyversi rules`: the rules of a variant and its examples in the terminal."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import polyversi as pv
from polyversi.cli.group import app
from polyversi.games.variants import title

runner = CliRunner()


@pytest.mark.parametrize("spec", ["anti", "xt:torus"])
def test_rules_are_told_with_boards(spec: str) -> None:
    result = runner.invoke(app, ["rules", spec], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(title(spec))
    rules = pv.game(spec).rules
    for section in rules.sections:
        assert f"\n{section.title}\n" in result.stdout
        assert all(str(sentence) in result.stdout for sentence in section.sentences)
    for example in rules.examples:
        assert all(str(sentence) in result.stdout for sentence in example.sentences)
    first = rules.examples[0].start.draw(color=False).splitlines()[3]
    assert first in result.stdout
    short = runner.invoke(app, ["rules", spec, "--no-examples"])
    assert first not in short.stdout and "Goal" in short.stdout


def test_a_variant_that_does_not_exist() -> None:
    result = runner.invoke(app, ["rules", "otello"])
    assert "there is no variant 'otello'" in str(result.exception)
