"""`pitwire run`: the daemon in the foreground; what systemd runs."""

from __future__ import annotations

from daemon.cli.options import DEFAULT_CONFIG, ConfigOption
from daemon.cli.output import fail, note, why
from daemon.exits import Exit


def command(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Run the daemon until SIGTERM or Ctrl-C. Exit 78: the configuration is wrong."""
    import asyncio

    from config.errors import ConfigError
    from config.load import load
    from daemon.app import App
    from daemon.service.assembly import known
    from daemon.service.sealing_keys import BadKey, table_keys
    from daemon.telemetry.logs import set_up

    try:
        loaded = load(config.read_text("utf-8"), known(), source=str(config))
        keys = table_keys(loaded)
    except (OSError, UnicodeDecodeError) as error:
        fail(Exit.CONFIG, f"{config} cannot be read: {why(error)}")
    except ConfigError as error:
        for problem in error.problems:
            note(problem.sentence(error.source))
        raise SystemExit(int(Exit.CONFIG)) from error
    except BadKey as error:
        fail(Exit.CONFIG, f"{error.what}; {error.action}")
    log = set_up(loaded.log.level, "console" if loaded.log.format == "console" else "json")
    for problem in loaded.warnings:
        log.warning("config_warning", error=problem.sentence(str(config)))

    async def run() -> Exit:
        return await App(loaded, log, keys).run()

    raise SystemExit(int(asyncio.run(run())))
