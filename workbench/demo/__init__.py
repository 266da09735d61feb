"""Makes demo and benchmark homes, all content made up."""

from workbench.demo.make import make

__all__ = ["make"]
