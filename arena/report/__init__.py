"""The report: pages to view models to Jinja templates to one folder of HTML."""

from arena.report.write import write_report

__all__ = ["write_report"]
