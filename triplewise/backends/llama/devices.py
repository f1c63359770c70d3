"""What llama.cpp computes on: its own report of the GPU backend that it was built with, and of the devices it finds."""

from __future__ import annotations

import ctypes
from typing import Any

from triplewise.errors import BackendError

_GPU_TYPES = {1, 2}
"""ggml_backend_dev_type: a graphics card, and one that shares the host's memory."""


def supports_gpu() -> bool:
    """Whether llama.cpp was built with a GPU backend and finds a device for it.

    Raises BackendError where it is not installed.
    """
    try:
        import llama_cpp
    except ImportError:
        raise BackendError("llama-cpp-python is not installed.") from None
    return bool(llama_cpp.llama_supports_gpu_offload())


def gpu_devices() -> tuple[str, ...]:
    """The GPUs that llama.cpp finds, each as "CUDA0: NVIDIA …, 24.0 of 24.6 GB free".

    () where there is none, or where this llama.cpp does not tell. Raises BackendError where it is not installed.
    """
    supports_gpu()  # loads the backends
    try:
        from llama_cpp._ggml import libggml

        return tuple(_described(libggml, device) for device in _devices(libggml))
    except (ImportError, AttributeError, OSError):
        return ()


def _devices(library: Any) -> list[int]:
    library.ggml_backend_dev_count.restype = ctypes.c_size_t
    library.ggml_backend_dev_get.restype = ctypes.c_void_p
    library.ggml_backend_dev_get.argtypes = [ctypes.c_size_t]
    library.ggml_backend_dev_type.restype = ctypes.c_int
    library.ggml_backend_dev_type.argtypes = [ctypes.c_void_p]
    found = (library.ggml_backend_dev_get(i) for i in range(library.ggml_backend_dev_count()))
    return [device for device in found if library.ggml_backend_dev_type(device) in _GPU_TYPES]


def _described(library: Any, device: int) -> str:
    for function in (library.ggml_backend_dev_name, library.ggml_backend_dev_description):
        function.restype, function.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    name, about = (f(device).decode() for f in (library.ggml_backend_dev_name, library.ggml_backend_dev_description))
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    library.ggml_backend_dev_memory.argtypes = [ctypes.c_void_p, *[ctypes.POINTER(ctypes.c_size_t)] * 2]
    library.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
    return f"{name}: {about}, {free.value / 1e9:.1f} of {total.value / 1e9:.1f} GB free"
