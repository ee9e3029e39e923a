"""The report of a tournament: one HTML file with everything in it."""

from polyversi.contest.report.page import report_of

__all__ = ["report_of"]
