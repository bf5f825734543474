"""Reading the configuration for a verb, and ending the verb where it is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from daemon.cli.output import fail, note, print_json, wants_json, why
from daemon.exits import Exit

if TYPE_CHECKING:
    from config.load import BridgeConfig
    from daemon.service.sealing_keys import TableKeys


def load_configuration(path: Path) -> tuple[BridgeConfig, Mapping[str, TableKeys]]:
    """Return the configuration and each table's keys; end with every problem there is.

    As JSON the problems go to stdout: they are what the verb was asked for.
    """
    from config.errors import ConfigError
    from config.load import load
    from daemon.service.assembly import known
    from daemon.service.sealing_keys import BadKey, table_keys

    try:
        loaded = load(path.read_text("utf-8"), known(), source=str(path))
        return loaded, table_keys(loaded)
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.CONFIG, f"{path} cannot be read: {why(error)}")
    except BadKey as error:
        fail(Exit.CONFIG, f"{error.what}; {error.action}")
    except ConfigError as error:
        if wants_json():
            problems = [dataclasses.asdict(problem) for problem in error.problems]
            print_json({"ok": False, "problems": problems})
        else:
            for problem in error.problems:
                note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error
