"""Stands in for the package slack where it is not installed.

include_shared_python_deps puts it on PYTHONPATH only if python3 finds no slack."""

from nightmark_slack import SlackApiError, WebClient

__all__ = ['WebClient', 'SlackApiError']
