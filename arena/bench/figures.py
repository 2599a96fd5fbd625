"""What is measured, what is demanded of it, and how both read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from arena import registry
from arena.model import Json


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity, measured once in each run."""

    key: str
    text: str
    unit: str
    """`/s` for rates, `ms` or `us` for times."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two measures of the same run, or one and a figure known from elsewhere; and what it should be."""

    key: str
    text: str
    over: str
    under: str | float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def target(self) -> str:
        return f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"

    def met(self, value: float) -> bool:
        if self.at_least is not None:
            return value >= self.at_least
        return self.at_most is None or value <= self.at_most


OTHERS_MATCHES, OTHERS_DECISIONS = 37.0, 26_900.0
"""On two cores of another machine, the best of other runners: matches with fresh processes, unjailed; and
decisions of Python engines that are kept running, unjailed."""

MEASURES = (
    Measure("limit", "round trips of two processes over a pipe, 600 bytes and 30", "/s"),
    Measure("json", "the same in Python with the standard library's JSON", "/s"),
    Measure("decisions", "decisions of two jailed bots in turn", "/s"),
    Measure("decisions_2", "the same on two cores", "/s"),
    Measure("bare_start", "a bare python -I -S, from its start to its first byte", "ms"),
    Measure("fresh_start", "a fresh jailed bot, from its fork to its first answer", "ms"),
    Measure("bare_match", "two bare interpreters for one match, 25 decisions each", "ms"),
    Measure("match", "the same match of two fresh jailed bots", "ms"),
    Measure("matches_2", "such jailed matches on two cores", "/s"),
    Measure("workers_1", "blocks of Rat d'eau, jailed, one worker", "/s"),
    Measure("workers_2", "the same, two workers", "/s"),
    *(
        measure
        for game in registry.games
        for measure in (
            Measure(f"rules.{game}", f"{game}: rules and referee, a decision", "us"),
            Measure(f"in_process.{game}", f"{game}: matches in this process, random bots", "/s"),
            Measure(f"jailed.{game}", f"{game}: matches in the jail, random bots", "/s"),
        )
    ),
)
SCALE = {
    "ratings": ("1,000 bots and 1,000,000 matches rated", {"seconds": 30.0, "megabytes": 2000.0}),
    "report": (
        "the report of 500 bots and 200,000 matches",
        {"seconds": 60.0, "megabytes": 1000.0, "first_page_mb": 2.0},
    ),
}
"""What is asked for by name, and its bounds."""
RATIOS = (
    Ratio("decisions", "jailed decisions to round trips in C", "decisions", "limit", at_least=0.45),
    Ratio("fresh_start", "fresh jailed bot to bare interpreter", "fresh_start", "bare_start", at_most=0.15),
    Ratio("match", "bare interpreters' match to a jailed one", "bare_match", "match", at_least=7),
    Ratio("workers", "two workers to one", "workers_2", "workers_1", at_least=1.9),
    *(
        Ratio(f"rules.{game}", f"{game}: rules and referee to a JSON round trip", f"rules.{game}", "json_us",
              at_most=1)
        for game in registry.games
    ),
    Ratio("others_matches", "jailed matches on two cores to the best other runner's 37/s", "matches_2",
          OTHERS_MATCHES, at_least=8),
    Ratio("others_decisions", "jailed decisions on two cores to fastchess's 26,900/s", "decisions_2",
          OTHERS_DECISIONS, at_least=3),
)  # fmt: skip


def ratio_in(ratio: Ratio, run: Mapping[str, float]) -> float | None:
    """Its value in one run; None when a part was not measured."""
    run = {**run, "json_us": 1e6 / run["json"]} if "json" in run else run
    under = run.get(ratio.under) if isinstance(ratio.under, str) else ratio.under
    return run[ratio.over] / under if ratio.over in run and under else None


def summary(runs: Sequence[Mapping[str, float]], machine: Json) -> Json:
    """Medians over the runs; of ratios, the median of each run's own."""
    measures, ratios = {}, {}
    for measure in MEASURES:
        if values := [run[measure.key] for run in runs if measure.key in run]:
            measures[measure.key] = {"median": median(values), "unit": measure.unit, "runs": values}
    for ratio in RATIOS:
        found = [value for run in runs if (value := ratio_in(ratio, run)) is not None]
        if found:
            value = median(found)
            ratios[ratio.key] = {
                "median": value,
                "target": ratio.target,
                "met": ratio.met(value),
                "runs": found,
            }
    return {"machine": machine, "measures": measures, "ratios": ratios}


def lines(result: Json) -> list[str]:
    """The same as text."""
    machine = result["machine"]
    said = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}, "
        f"load {machine['load']:.1f}; medians of {machine['runs']} runs",
        "",
    ]
    for measure in MEASURES:
        if found := result["measures"].get(measure.key):
            said.append(f"{_plain(found['median'], measure.unit):>12}  {measure.text}")
            if measure.key == "limit":
                said[-1] += f" ({machine['limit']})"
    said.append("")
    for ratio in RATIOS:
        if found := result["ratios"].get(ratio.key):
            verdict = "met" if found["met"] else "NOT MET"
            said.append(f"{found['median']:>12.3g}  {ratio.text}: {ratio.target}: {verdict}")
    return said


def scale_line(key: str, found: Mapping[str, float]) -> str:
    """One line on a large contest, with its bounds."""
    text, bounds = SCALE[key]
    parts = [
        f"{found[name]:.1f} {name.replace('_', ' ')} (at most {most:g})" for name, most in bounds.items()
    ]
    verdict = "met" if all(found[name] <= most for name, most in bounds.items()) else "NOT MET"
    return f"{text}: {', '.join(parts)}: {verdict}"


def _plain(value: float, unit: str) -> str:
    return f"{value:,.0f}{unit}" if unit == "/s" and value >= 100 else f"{value:.2f} {unit}"
