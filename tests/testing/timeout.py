"""The deadline that all tests share."""

TIMEOUT = 300.0
"""Seconds after which something has hung, however busy the machine is; no test may take nearly as long."""
