"""Opens a Chroma index and searches it once, in a process of its own: damaged files may crash whoever does.

Run by ``tools.retrieval.index_health`` as a script; stdin is a JSON object with ``sys_path``, ``folder`` and
``dimension``.
Exit code 0: it works.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read the job from stdin, open, fetch and search."""
    job = json.load(sys.stdin)
    sys.path[:] = job["sys_path"]
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(job["folder"], settings=Settings(anonymized_telemetry=False))
    for collection in client.list_collections():
        opened = client.get_collection(collection.name, embedding_function=None)
        opened.get(include=["embeddings"], limit=100)
        if opened.count():
            opened.query(query_embeddings=[[1.0] * job["dimension"]], n_results=1)


if __name__ == "__main__":
    main()
