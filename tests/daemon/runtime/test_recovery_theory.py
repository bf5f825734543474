"""The theory at the head of recovery names every place that sets or clears `unproven`."""

import ast
import re
from pathlib import Path

from daemon.runtime import recovery

DAEMON = Path(recovery.__file__).parents[1]


def writers() -> set[tuple[str, str]]:
    """Return the file and function of each `replace(…, unproven=…)`."""
    found = set()
    for path in DAEMON.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id == "replace"
                and any(keyword.arg == "unproven" for keyword in call.keywords)
                for call in ast.walk(function)
            ):
                found.add((path.relative_to(DAEMON).as_posix(), function.name))
    return found


def test_the_theory_names_every_function_that_sets_or_clears_unproven() -> None:
    named = re.findall(r"^ +(table/\w+\.py) (\w+) ", recovery.__doc__ or "", re.MULTILINE)
    assert set(named) == writers()
