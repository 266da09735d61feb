"""Which home and why, its profiles, the values of config.yaml and the edit of a single one."""

from workbench.home.config import Config, Problem, load
from workbench.home.resolve import HomeChoice, ProfileInfo, check, profiles, resolve

__all__ = ["Config", "HomeChoice", "Problem", "ProfileInfo", "check", "load", "profiles", "resolve"]
