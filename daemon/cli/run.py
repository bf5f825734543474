"""Reads the devices, applies the rules, journals and delivers, until SIGTERM or Ctrl-C.

The log goes to stderr, as JSON for systemd's journal or as text (`[log] format = "console"`).

Examples:
  pitwire run
  pitwire run --config config/examples/desk.toml

Exit codes:
  0   stopped by a signal
  69  a socket or address that it needs is taken
  70  a defect of pitwire: the log has it
  74  the journal cannot be trusted; systemd starts the daemon again
  78  the configuration is wrong; systemd does not start it again
"""

from __future__ import annotations

from daemon.cli.configuration import load_configuration
from daemon.cli.options import DEFAULT_CONFIG, ConfigOption
from daemon.cli.output import fail
from daemon.exits import Exit


def command(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Run the daemon in the foreground, as systemd does."""
    import asyncio
    import os
    import sys

    from daemon.app import App
    from daemon.journal.errors import JournalFailed
    from daemon.service.authentication import not_approved
    from daemon.service.journal_key import signing_keys
    from daemon.service.sealing_keys import BadKey
    from daemon.telemetry.log_stream import LogStream
    from daemon.telemetry.logs import set_up

    loaded, keys = load_configuration(config)
    if (refusal := not_approved(loaded)) is not None:
        fail(Exit.CONFIG, f"{config}: {refusal}")
    try:
        signing = signing_keys(loaded)
    except BadKey as error:
        fail(Exit.CONFIG, f"{error.what}; {error.action}")
    except JournalFailed as error:
        fail(Exit.JOURNAL, f"{error}; {error.action}")
    # Without a stderr its number may be that of the next file that is opened: never write there.
    stream = LogStream(sys.stderr.fileno() if sys.stderr else os.open(os.devnull, os.O_WRONLY))
    log = set_up(loaded.log.level, "console" if loaded.log.format == "console" else "json", stream)
    for problem in loaded.warnings:
        log.warning("config_warning", error=problem.sentence(str(config)))

    async def run() -> Exit:
        return await App(loaded, log, keys, signing).run()

    try:
        raise SystemExit(int(asyncio.run(run())))
    finally:
        stream.close()
