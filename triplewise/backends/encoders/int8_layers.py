"""The layers of an encoder of BERT's kind in ONNX Runtime, with products of 8-bit numbers, where it is installed.

The matrices are int8 with a scale per row, as the encoders' files hold them; each number that they multiply is told by
two of 8 bits, the second of which is what the first leaves over, with a scale per token: some 15 bits, so that scores
are NumPy's to within 0.02 (decision 21). On processors with instructions for such products (VNNI, AMX, their like on
ARM) that takes a third to a half of NumPy's time. Others add up pairs in 16 bits, which overflow: that is tried out
first, and there NumPy is left to it.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from triplewise.backends.encoders.layers import HEADS, Floats
from triplewise.errors import ConfigError

SWITCH = "TRIPLEWISE_INT8"
"""The environment variable that turns it off."""
_ZERO = 128
"""The 8-bit number that stands for 0."""
_STEPS = 127
"""How many there are on either side."""
FORMAT = 2
"""Of the model's file."""
_WIDTH = 64
_LARGEST = 255 * 127 * _WIDTH
"""The largest product of so many pairs, which is tried out."""
_OPSET, _IR = 21, 10
_MICROSOFT = "com.microsoft"
"""Of ONNX Runtime's own operators."""


class Int8Layers:
    """Some layers one after the other; thread-safe."""

    def __init__(self, model: Path) -> None:
        """``model``: a file of ``find_layers``. Raises ConfigError where ONNX Runtime cannot read it."""
        self._session = _session(model)

    def run(self, x: Floats, mask: Floats, bias: Floats | None = None) -> Floats:
        """What the last layer gives of [texts × width × dimensions]; zero where ``mask`` [texts × width] is.

        ``bias`` [heads × width × width]: what attention gains by how far two tokens stand from each other.
        """
        texts, width, size = x.shape
        bias = np.zeros((1, 1, 1), np.float32) if bias is None else bias
        out, there = np.zeros((texts * width, size), np.float32), np.flatnonzero(mask)
        out[there] = self._run("y", x.reshape(-1, size)[there], mask, there, bias)
        return out.reshape(texts, width, size)

    def multiplies_rightly(self, size: int) -> bool:
        """Whether this processor's products of 8-bit numbers do not overflow; ``size``: of a token's vector."""
        one, x = np.ones((1, 1), np.float32), np.zeros((1, size), np.float32)
        found = self._run("largest", x, one, np.zeros(1, np.int64), np.zeros((1, 1, 1), np.float32))
        return bool((found == _LARGEST).all())

    def _run(
        self, output: str, tokens: Floats, mask: Floats, there: npt.NDArray[np.int64], bias: Floats
    ) -> npt.NDArray[Any]:
        place = np.zeros(mask.size, np.int64)
        place[there] = np.arange(len(there))
        given = {
            "x": tokens, "place": place.reshape(mask.shape), "there": there,
            "away": ((1 - mask) * np.float32(-1e9))[:, None, None, :], "bias": np.ascontiguousarray(bias[None]),
            "most": np.full((len(there), _WIDTH), 255, np.uint8),
        }  # fmt: skip
        return self._session.run([output], given)[0]


def find_layers(
    place: Path, arrays: Mapping[str, npt.NDArray[Any]], names: Sequence[str], epsilon: float
) -> Int8Layers | None:
    """Layers in ONNX Runtime, written to ``place`` the first time; None where NumPy is better, or right, or where
    there is no place.

    ``arrays``: int8 matrices, their scales, biases and norms as ``layers.packed`` gives them; ``names``: how those of
    each layer begin.
    """
    if not usable() or not _processor.get("multiplies rightly", True):
        return None
    for anew in (False, True):
        with suppress(ConfigError, OSError):  # it is damaged, or the cache cannot be written
            if anew or not place.is_file():
                _write(place, arrays, names, epsilon)
            layers = Int8Layers(place)
            if "multiplies rightly" not in _processor:
                size = arrays[f"{names[0]}query"].shape[1]
                _processor["multiplies rightly"] = layers.multiplies_rightly(size)
            return layers if _processor["multiplies rightly"] else None
    return None


_processor: dict[str, bool] = {}
"""What was found out of it in this process."""


def usable() -> bool:
    """Whether ONNX Runtime is installed, and wanted."""
    wanted = os.environ.get(SWITCH, "").lower() not in ("0", "off", "no", "false")
    return wanted and all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))


def _write(place: Path, arrays: Mapping[str, npt.NDArray[Any]], names: Sequence[str], epsilon: float) -> None:
    partial = place.with_suffix(f".{os.getpid()}.partial")
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        partial.write_bytes(_Model(arrays, epsilon).of_layers(names))
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


class _Model:
    """Writes the layers as an ONNX model. Only attention works on texts filled up to one width."""

    def __init__(self, arrays: Mapping[str, Any], epsilon: float) -> None:
        import onnx

        self.arrays, self.epsilon = arrays, epsilon
        self.onnx, self.make = onnx, onnx.helper
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}
        self.size = 0

    def of_layers(self, names: Sequence[str]) -> bytes:
        """The model of some layers; ``names``: how the arrays of each begin."""
        self.size = self.arrays[f"{names[0]}query"].shape[1]
        self.constant("zero", np.array(_ZERO, np.uint8))
        self.constant("step", np.float32(1 / _STEPS))
        self.constant("half", np.float32(0.5 / _STEPS))
        self.constant("least", np.float32(1e-9))
        self.constant("one", np.float32(1))
        self.constant("last", np.array([-1]))
        zero = self.onnx.numpy_helper.from_array(np.array([_ZERO], np.uint8))
        self.node("ConstantOfShape", [self.node("Shape", ["there"], "tokens")], "zeros", value=zero)
        self.constant("heads", np.array([0, 0, 3, HEADS, self.size // HEADS]))
        self.constant("flat", np.array([-1, self.size]))
        self.constant("scale", np.float32((self.size // HEADS) ** -0.5))
        for number, part in enumerate("qkv"):
            self.constant(part, np.array(number))
        self.node("Add", ["away", "bias"], "added")
        x = "x"
        for name in names:
            x = self._layer(name, x)
        self.node("Identity", [x], "y")
        self.constant("large", np.full((_WIDTH, _WIDTH), 127, np.int8))
        self.node("MatMulInteger", ["most", "large"], "largest")
        floats, whole = self.onnx.TensorProto.FLOAT, self.onnx.TensorProto.INT64
        inputs = [
            ("x", floats, ["tokens", self.size]), ("place", whole, ["texts", "width"]), ("there", whole, ["tokens"]),
            ("away", floats, ["texts", 1, 1, "width"]), ("bias", floats, [1, "heads", "queries", "keys"]),
            ("most", self.onnx.TensorProto.UINT8, ["tokens", _WIDTH]),
        ]  # fmt: skip
        graph = self.make.make_graph(
            self.nodes,
            "layers",
            [self.make.make_tensor_value_info(*one) for one in inputs],
            [
                self.make.make_tensor_value_info("y", floats, ["tokens", self.size]),
                self.make.make_tensor_value_info("largest", self.onnx.TensorProto.INT32, ["tokens", _WIDTH]),
            ],
            [self.onnx.numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        opsets = [self.make.make_opsetid("", _OPSET), self.make.make_opsetid(_MICROSOFT, 1)]
        return self.make.make_model(graph, opset_imports=opsets, ir_version=_IR).SerializeToString()

    def _layer(self, name: str, x: str) -> str:
        together = self.product(name + "qkv", [name + part for part in ("query", "key", "value")], x)
        filled = self.node("Gather", [together, "place"], name + "filled", axis=0)
        split = self.node("Reshape", [filled, "heads"], name + "split")
        split = self.node("Transpose", [split], name + "apart", perm=[2, 0, 3, 1, 4])
        q, k, v = (self.node("Gather", [split, part], name + part, axis=0) for part in "qkv")
        turned = self.node("Transpose", [k], name + "turned", perm=[0, 1, 3, 2])
        weights = self.node("MatMul", [self.node("Mul", [q, "scale"], name + "asked"), turned], name + "near")
        weights = self.node("Add", [weights, "added"], name + "nearer")
        weights = self.node("Softmax", [weights], name + "weights", axis=-1)
        seen = self.node(
            "Transpose", [self.node("MatMul", [weights, v], name + "seen")], name + "back", perm=[0, 2, 1, 3]
        )
        seen = self.node("Gather", [self.node("Reshape", [seen, "flat"], name + "flat"), "there"], name + "own", axis=0)
        x = self._norm(name + "out", self.product(name + "out", [name + "out"], seen), x)
        up = self.node("FastGelu", [self.product(name + "up", [name + "up"], x)], name + "gelu", domain=_MICROSOFT)
        return self._norm(name + "down", self.product(name + "down", [name + "down"], up), x)

    def _norm(self, name: str, x: str, before: str) -> str:
        """The sum of a product and of what went in, with mean 0 and spread 1."""
        ends = [self.constant(f"{name}.norm.{end}", self.arrays[f"{name}.norm.{end}"][0]) for end in ("weight", "bias")]
        both = self.node("Add", [x, before], f"{name}.both")
        return self.node("LayerNormalization", [both, *ends], f"{name}.normed", epsilon=self.epsilon)

    def product(self, name: str, matrices: list[str], x: str) -> str:
        """[tokens × rows of all matrices] what they make of each token, side by side: of its upper 8 bits and of
        the lower ones, whose steps are 254 times as fine."""
        whole, scale, bias = (
            np.concatenate(parts)
            for parts in zip(
                *((self.arrays[m], self.arrays[f"{m}.scale"], self.arrays[f"{m}.bias"][0]) for m in matrices),
                strict=True,
            )
        )
        matrix = self.constant(f"{name}.whole", np.ascontiguousarray(whole.T))
        scales, biases = self.constant(f"{name}.scale", scale), self.constant(f"{name}.biases", bias)
        most = self.node("ReduceMax", [self.node("Abs", [x], f"{x}.abs"), "last"], f"{x}.max", keepdims=0)
        step = self.node("Mul", [self.node("Max", [most, "least"], f"{x}.most"), "step"], f"{x}.step")
        upper = self.node("QuantizeLinear", [x, step, "zeros"], f"{x}.upper", axis=0)
        near = self.node("DequantizeLinear", [upper, step, "zeros"], f"{x}.near", axis=0)
        rest, finer = self.node("Sub", [x, near], f"{x}.rest"), self.node("Mul", [step, "half"], f"{x}.finer")
        lower = self.node("QuantizeLinear", [rest, finer, "zeros"], f"{x}.lower", axis=0)
        parts = [
            self.node(
                "MatMulIntegerToFloat", [part, matrix, counts, scales, "zero"], f"{name}.{part}", domain=_MICROSOFT
            )
            for part, counts in ((upper, "one"), (lower, "half"))
        ]
        found = self.node("Add", parts, f"{name}.product")
        found = self.node("Mul", [found, self.node("Unsqueeze", [step, "last"], f"{x}.steps")], f"{name}.scaled")
        return self.node("Add", [found, biases], f"{name}.moved")

    def node(self, operator: str, inputs: list[str], output: str, domain: str = "", **given: Any) -> str:
        """An operator; returns its output's name."""
        self.nodes.append(self.make.make_node(operator, inputs, [output], domain=domain, **given))
        return output

    def constant(self, name: str, array: npt.NDArray[Any] | np.float32) -> str:
        """A constant; returns its name."""
        self.constants[name] = np.asarray(array)
        return name


def _session(model: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # others would stay behind where a process forks
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False  # they keep 250 MB more, and gain no time
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of no common class
        raise ConfigError(f"ONNX Runtime cannot read {model}: {error}", "Remove it; it is made anew.") from None
