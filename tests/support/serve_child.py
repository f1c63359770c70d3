"""What ``triplewise serve`` runs, over a scripted assistant; it notes when the assistant was closed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from scripted_assistant import ScriptedAssistant

from triplewise.config import Settings
from triplewise.interfaces.serve import command
from triplewise.interfaces.serve.options import ServeOptions
from triplewise.interfaces.serve.service import Service


class Noting(ScriptedAssistant):
    async def close(self) -> None:
        (Path.home() / "closed").write_text("closed")


def scripted(settings: Any, graphs: Any, threads: Any, options: ServeOptions) -> Service:
    return Service(Noting(graphs), lambda stores, method: Noting(stores), options, model="scripted")


command.service_of = scripted  # type: ignore[assignment]
try:
    command._serve(ServeOptions(port=0, grace=1), Settings(), ["films"], None, False, True)
except KeyboardInterrupt:  # as Typer does
    sys.exit(130)
