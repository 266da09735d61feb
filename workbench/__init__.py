"""A workbench for the person who owns a Hermes agent's memory."""

__version__ = "0.1.0"
