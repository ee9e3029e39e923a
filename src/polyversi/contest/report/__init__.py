"""The report of a tournament: one page that holds everything, and needs nothing but a browser."""

from polyversi.contest.report.page import report_of

__all__ = ["report_of"]
