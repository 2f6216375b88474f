"""Helper of the tests of `nonosat fuzz`: a campaign that only prints its parameters."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

import click
import pytest

from nonosat.testing.fuzzing.campaign import Campaign
from nonosat.testing.fuzzing.coverage import Coverage

CHUNK = {"kind": "chunk", "of": 1, "indices": [0], "failures": 0, "mib": 1.0, "wall_s": 1.0}


def only_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace campaigns by one that prints its parameters and records an empty chunk."""

    def run(self: Campaign, report: Callable[[], None] = lambda: None) -> None:
        left = round(self._effort.until - monotonic(), -1)
        told: list[Any] = [self._drawn, self._analyser._work, self._save.keywords["folder"]]
        told.append(self._effort.shrink_s)
        click.echo(f"{told} {self._cases_left} {left}")
        done = {**CHUNK, "chunk": 0, **Coverage().to_data()}
        if not self._recorder.is_done(0):
            self._recorder.add(done)
        self._recorder.write()

    monkeypatch.setattr(Campaign, "run", run)
