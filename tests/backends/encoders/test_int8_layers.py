"""Layers in ONNX Runtime: as NumPy's, in forked processes too, and left to NumPy where they would be wrong."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the extra local")
pytest.importorskip("onnxruntime", reason="needs the extra local")

from triplewise.backends.encoders import int8_layers
from triplewise.backends.encoders.int8_layers import SWITCH, Int8Layers, find_layers, usable
from triplewise.backends.encoders.layers import HEADS, Floats, Weights, layer, packed
from triplewise.errors import ConfigError

SIZE, INNER, EPSILON = 96, 192, 1e-5
LAYERS = [f"layer.{n}." for n in range(3)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("layers") / "deep" / "layers.onnx"
    if find_layers(path, drawn(), LAYERS, EPSILON) is None:
        pytest.skip("this processor's products of 8-bit numbers overflow")
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return path


@pytest.fixture
def layers(model: Path) -> Int8Layers:
    return Int8Layers(model)


def drawn() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    arrays: dict[str, Any] = {}
    for layer_name in LAYERS:
        for name, rows, columns in (
            ("query", SIZE, SIZE), ("key", SIZE, SIZE), ("value", SIZE, SIZE), ("out", SIZE, SIZE),
            ("up", INNER, SIZE), ("down", SIZE, INNER),
        ):  # fmt: skip
            whole = f"{layer_name}{name}"
            arrays |= packed(whole, (rng.standard_normal((rows, columns)) / columns**0.5).astype(np.float32))
            arrays[f"{whole}.bias"] = rng.standard_normal((1, rows)).astype(np.float32) / 5
        for name in ("out.norm", "down.norm"):
            arrays[f"{layer_name}{name}.weight"] = 1 + rng.standard_normal((1, SIZE)).astype(np.float32) / 5
            arrays[f"{layer_name}{name}.bias"] = rng.standard_normal((1, SIZE)).astype(np.float32) / 5
    return arrays


def inputs() -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((4, 11, SIZE)).astype(np.float32)
    mask = np.ones((4, 11), np.float32)
    mask[1, 6:] = mask[3, 2:] = 0
    return x * mask[:, :, None], mask, rng.standard_normal((HEADS, 11, 11)).astype(np.float32)


@pytest.mark.parametrize("biased", [False, True])
def test_as_numpy_computes(layers: Int8Layers, *, biased: bool) -> None:
    w, (x, mask, bias) = Weights(drawn()), inputs()
    quick = layers.run(x, mask, bias if biased else None)
    for name in LAYERS:
        x = layer(w, name, x, mask, epsilon=EPSILON, bias=bias if biased else None)
    assert np.abs(quick - x).max() < 1e-3 * x.std()
    assert not quick[mask == 0].any()


def test_nothing_but_zeros(layers: Int8Layers) -> None:
    assert np.isfinite(layers.run(np.zeros((1, 2, SIZE), np.float32), np.ones((1, 2), np.float32))).all()


def test_a_text_is_read_alike_whatever_stands_beside_it(layers: Int8Layers) -> None:
    x, mask, bias = inputs()
    together = layers.run(x, mask, bias)
    for number, width in enumerate(mask.sum(1).astype(int)):
        alone = layers.run(x[[number], :width], mask[[number], :width], bias[:, :width, :width])
        assert np.allclose(alone[0], together[number, :width], atol=1e-4)


def test_a_forked_process_reads_as_well(model: Path) -> None:
    """Threads of the session that was loaded before would stay behind, and waiting for them would never end."""
    script = f"""
        import os, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from pathlib import Path
        from test_int8_layers import Int8Layers, inputs
        layers = Int8Layers(Path({str(model)!r}))
        before = layers.run(*inputs())
        child = os.fork()
        if not child:
            os._exit(0 if (layers.run(*inputs()) == before).all() else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(script)]
    subprocess.run(command, check=True, timeout=60)


def test_it_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable()
    monkeypatch.setenv(SWITCH, "off")
    assert not usable()


def test_a_damaged_file_is_told(model: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.onnx").write_bytes(model.read_bytes()[:-1000])
    with pytest.raises(ConfigError, match=r"cannot read .*cut\.onnx"):
        Int8Layers(tmp_path / "cut.onnx")


def test_a_damaged_file_is_written_anew(model: Path, tmp_path: Path) -> None:
    place = tmp_path / "layers.onnx"
    place.write_bytes(model.read_bytes()[:-1000])
    assert find_layers(place, drawn(), LAYERS, EPSILON) is not None
    assert place.read_bytes() == model.read_bytes()


def test_without_a_place_numpy_is_left_to_it(model: Path) -> None:
    (taken := model.parent / "taken").write_text("no folder")
    assert find_layers(taken / "layers.onnx", drawn(), LAYERS, EPSILON) is None


def test_products_that_overflow_are_found_out(layers: Int8Layers, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Overflowing:
        def run(self, _: list[str], given: dict[str, Any]) -> list[Any]:
            return [np.full((len(given["most"]), 64), 32767 * 32, np.int32)]  # pairs that stop at 16 bits

    layers._session = Overflowing()
    assert not layers.multiplies_rightly(SIZE)
    monkeypatch.setattr(int8_layers, "_session", lambda _: Overflowing())
    monkeypatch.setattr(int8_layers, "_processor", {})
    assert find_layers(model, drawn(), LAYERS, EPSILON) is None
    (tried := model.parent / "tried.onnx").touch()
    assert find_layers(tried, drawn(), LAYERS, EPSILON) is None
    assert not tried.stat().st_size  # known by now, nothing is written
