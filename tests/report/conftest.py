"""One rich run, played and written once for all tests of the report."""

from pathlib import Path

import pytest
from support.runs import event_of, failing, first_legal, last_legal, run_on_disk

from arena.model import FaultKind
from arena.report import write_report

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "x'-alert(1)-'",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe שלום",
    '"><svg onload=alert(1)> 🦆' + "w" * 176,
)


@pytest.fixture(scope="session")
def rich_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three events, faulty bots, bots with hostile names; its report is written."""
    folder = tmp_path_factory.mktemp("rich") / "run"
    names = ["Heron", "Old crow", *HOSTILE]

    def bots(prefix: str, count: int) -> list[tuple[str, str]]:
        return [(f"{prefix}-{i}", names[i]) for i in range(count)]

    events = [
        (event_of("pecking_order", bots("po", 6), 2, 0, "Pecking Order"), 3),
        (event_of("peech", bots("pe", 5), 4, 1, "Peech", rounds=1), 1),
        (event_of("rat_deau", bots("rd", 4), 3, 2, "Rat d'eau <b>"), 2),
    ]
    choices = {}
    for prefix in ("po", "pe", "rd"):
        choices[f"{prefix}-0"] = last_legal
        choices[f"{prefix}-1"] = first_legal
        choices[f"{prefix}-2"] = failing(FaultKind.CRASH, "ValueError: </script><b>'&\"", 0.03)
    sandbox = {"tier": "A", "guarantees": {"no network": True, "no files of the host": True}}
    run_on_disk(folder, events, choices, sandbox=sandbox)
    (folder / "config.yaml").write_text("name: Autumn cup # </pre><script>\n", encoding="utf-8")
    write_report(folder)
    return folder


@pytest.fixture
def one_event_run(tmp_path: Path) -> Path:
    """A quick run of one event with two bots."""
    event = event_of("rat_deau", [("a", "Anna"), ("b", "Ben")])
    return run_on_disk(tmp_path / "run", [(event, 2)], {"a": last_legal})
