"""Whether this user may open a node, and what to do where not."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a node cannot be opened, and what a technician can do about it."""

    what: str
    action: str


def trouble_with(node: str) -> Trouble | None:
    """Return why this user may not open a node, None where it may."""
    if os.access(node, os.R_OK | os.W_OK):
        return None
    if not Path(node).exists():
        return Trouble("it has no node under /dev", "run `udevadm trigger`, or plug it in anew")
    return Trouble(f"user {_user()} may not open {node}", _action(node))


def _action(node: str) -> str:
    group = group_of(node)
    if group == "root":
        return "install the udev rules that come with pitwire, and plug it in anew"
    return f"add the user to group {group}: `sudo usermod -aG {group} {_user()}`, then log in anew"


def group_of(node: str) -> str:
    """Return the group that may open a node; Debian's for serial ports where it has no name."""
    try:
        return Path(node).group()
    except (OSError, KeyError):
        return "dialout"


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
