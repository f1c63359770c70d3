"""What ``triplewise mcp`` runs, over a scripted assistant; it also prints, as a careless library would."""

from __future__ import annotations

from typing import Any

from scripted_assistant import ScriptedAssistant

from triplewise.config import Settings
from triplewise.interfaces.serve import command
from triplewise.interfaces.serve.options import ServeOptions
from triplewise.interfaces.serve.service import Service


class Loud(ScriptedAssistant):
    def _entity(self, store: Any, text: str) -> str:  # type: ignore[override]
        print("a library prints this")
        return super()._entity(store, text)


def scripted(settings: Any, graphs: Any, threads: Any, options: ServeOptions) -> Service:
    return Service(Loud(graphs), lambda stores, method: Loud(stores), options, model="scripted")


command.service_of = scripted  # type: ignore[assignment]
command._stdio(Settings(), ["films"], False)
