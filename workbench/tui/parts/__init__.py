"""Widgets that any area may use; none of them knows a file or a database."""
