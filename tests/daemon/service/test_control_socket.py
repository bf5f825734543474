"""The control socket: who looks on when the daemon stops is let go without a word of a defect."""

import asyncio
import json
from pathlib import Path
from typing import Any

from daemon.service.control_socket import ControlCallbacks, ControlSocket


def test_a_caller_that_still_tails_when_the_daemon_stops_is_no_defect(tmp_path: Path) -> None:
    defects: list[dict[str, Any]] = []
    socket = tmp_path / "control.sock"

    async def nothing() -> dict[str, Any]:
        return {}

    async def daemon() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: defects.append(told))
        control = ControlSocket(
            str(socket), ControlCallbacks(dict, nothing, lambda *_: None, lambda _: None)
        )
        await control.start()
        reader, writer = await asyncio.open_unix_connection(socket)
        writer.write(b'{"verb": "tail"}\n')
        assert json.loads(await reader.readline()) == {"tailing": None}
        served = asyncio.all_tasks() - {asyncio.current_task()}
        await control.stop()
        for task in served:  # as asyncio.run does with what is left
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)
        await asyncio.sleep(0)
        assert await reader.read() == b""
        writer.close()

    asyncio.run(daemon())
    assert defects == []
