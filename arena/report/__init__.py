"""The report: pages to view models to Jinja templates to one folder of HTML."""
