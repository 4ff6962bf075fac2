"""Skinning methods, automatic weights and baking for rigged characters.

    import sinew
    model = sinew.load("character.glb")
    pose = model.pose(0, 0.5)                 # J x 4 x 4
    posed = model.skin("cor", pose)           # V x 3
    baked = model.bake("arc-spline")
    baked.save("baked.glb")

Shapes: V vertices, T triangles, J joints, K influences of a vertex, F poses. Arrays are float32 and
uint32. A matrix maps column vectors, M[:3, 3] is its translation. Space is right-handed with Y up,
in the model's unit of length; times are seconds.

Arrays of a model are views of its memory, without copies, and cannot be written. A call that fails
raises a SinewError, whose text is one line.
"""
from __future__ import annotations

import ctypes
import operator
import os
import threading

from . import _library
from ._library import (Cancelled, Handle, InputError, LimitError, SinewError, UsageError, check,
                       failure, library, run_long, take_bytes)

TYPE_CHECKING = False  # typing, numpy and others take longer than the rest: where they are needed
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

    import numpy

    ProgressFunction = Callable[[float, str], Optional[bool]]
    OpenFunction = Callable[[str], Optional[bytes]]
    PathOrBytes = Union[str, "os.PathLike[str]", bytes]

__all__ = ["Binding", "Cancelled", "InputError", "LimitError", "Model", "SinewError", "UsageError",
           "load", "methods", "render", "weights"]

_NONE = _library.NONE
_WRAPS = {"clamp": 0, "loop": 1, "ping-pong": 2}
_KINDS = {"joint": 0, "node": 1, "clip": 2, "morph": 3, "mesh": 4, "note": 5}
# sinew_format: type and components.
_FORMATS = [("u1", 4), ("u2", 4), ("u2", 4), ("i1", 4), ("f4", 1), ("f4", 2), ("f4", 3), ("f4", 4),
            ("f4", 4)]


def __getattr__(name: str) -> Any:
    if name != "__version__":
        raise AttributeError("module 'sinew' has no attribute '%s'" % name)
    return library.sinew_version().decode()


def _np() -> Any:
    import numpy
    return numpy


class _Lent:
    """Memory of a handle as numpy sees it; keeps the handle alive."""

    def __init__(self, handle: Handle, address: Optional[int], shape: Tuple[int, ...], kind: str):
        self.handle = handle
        self.__array_interface__ = {"data": (address or 0, True), "shape": shape,
                                    "typestr": ("|" if kind[1] == "1" else "<") + kind, "version": 3}


def _text(value: Any, name: str) -> bytes:
    """The text as the library takes it."""
    if not isinstance(value, str):
        raise TypeError("%s: a text is expected, not %s" % (name, type(value).__name__))
    if "\0" in value:
        raise ValueError("%s: the text has a character 0" % name)
    return value.encode()


def _count(value: Any, name: str, least: int = 0) -> int:
    """A whole number that the library has as 32 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError("%s: a whole number is expected, not %s" % (name, type(value).__name__)) from None
    if not least <= number < _NONE:
        raise ValueError("%s: %d; at least %d is expected" % (name, number, least))
    return number


def _positive(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError("%s: a number is expected, not %s" % (name, type(value).__name__)) from None
    if not 0.0 < number < float("inf"):
        raise ValueError("%s: %g; a number above 0 is expected" % (name, number))
    return number


def _settings(settings: Dict[str, Any]) -> bytes:
    """Settings by name as one text of the library."""
    return ",".join("%s=%s" % (name.replace("_", "-"), _word(name, value))
                    for name, value in settings.items()).encode()


def _spelled(error: UsageError, settings: Dict[str, Any]) -> UsageError:
    """The error with the names of parameters as keywords have them: '_' for '-'."""
    import re
    line = str(error)
    if line.startswith("unknown parameter "):  # and a list of all
        return UsageError(line.replace("-", "_"))
    given = [re.escape(name.replace("_", "-")) for name in settings]
    return UsageError(re.sub("|".join(given + [r"\b[a-z-]+(?==)"]), lambda name: name.group().replace("-", "_"), line))


def _view(handle: Handle, address: Optional[int], shape: Tuple[int, ...], kind: str) -> Any:
    if not address or 0 in shape:
        return _np().zeros(shape, kind)
    return _np().asarray(_Lent(handle, address, shape, kind))


def _array(value: Any, name: str, kind: str, shape: Tuple[Optional[int], ...]) -> Any:
    """The value as a packed array of that type; shape: None where any length serves."""
    np = _np()
    try:
        array = np.asarray(value)
    except Exception as error:
        raise TypeError("%s: %s" % (name, error)) from None
    if array.dtype.kind not in ("f", "i", "u"):
        raise TypeError("%s: an array of numbers is expected, not of %s" % (name, array.dtype))
    if kind[0] in "ui" and array.dtype.kind == "f":
        raise TypeError("%s: an array of whole numbers is expected, not of %s" % (name, array.dtype))
    if kind == "u4" and array.size and not 0 <= int(array.min()) <= int(array.max()) < _NONE:
        raise ValueError("%s: from %d to %d; whole numbers from 0 are expected" %
                         (name, array.min(), array.max()))
    if array.ndim != len(shape) or any(w is not None and w != n for w, n in zip(shape, array.shape)):
        raise ValueError("%s: the shape %s is expected, not %s" %
                         (name, _shape_text(shape), _shape_text(array.shape)))
    return np.ascontiguousarray(array, kind)


def _shape_text(shape: Sequence[Optional[int]]) -> str:
    return "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"


def _matrices(value: Any, name: str, joints: int) -> Any:
    """... x J x 4 x 4 of rows to packed columns, as the library has them; free where it came so."""
    np = _np()
    array = np.asarray(value)
    if array.dtype.kind not in ("f", "i", "u"):
        raise TypeError("%s: an array of numbers is expected, not of %s" % (name, array.dtype))
    if array.ndim not in (3, 4) or array.shape[-3:] != (joints, 4, 4):
        raise ValueError("%s: the shape (%d, 4, 4) or (any, %d, 4, 4) is expected, not %s" %
                         (name, joints, joints, _shape_text(array.shape)))
    return np.ascontiguousarray(array.swapaxes(-1, -2), "f4")


def _target(out: Any, name: str, shape: Tuple[int, ...]) -> Any:
    """An array of the caller to write to, checked."""
    np = _np()
    if not isinstance(out, np.ndarray) or out.dtype != np.float32:
        raise TypeError("%s: an array of float32 is expected" % name)
    if out.shape != shape:
        raise ValueError("%s: the shape %s is expected, not %s" %
                         (name, _shape_text(shape), _shape_text(out.shape)))
    if not out.flags.writeable:
        raise ValueError("%s: it cannot be written" % name)
    return out


def _stream(out: Any, name: str) -> _library.Stream:
    if out is None:
        return _library.Stream(None, 0)
    if out.size == 0:  # whose strides mean nothing
        return _library.Stream(out.ctypes.data, 0)
    row, item = out.strides
    if item != 4 or row < 4 * out.shape[1]:
        raise ValueError("%s: strides of %d and %d bytes; the numbers of a vertex have to lie side by "
                         "side" % (name, row, item))
    return _library.Stream(out.ctypes.data, row)


def methods() -> Dict[str, str]:
    """The skinning methods: names, as Model.skin() takes them, and titles."""
    out = {}
    title = ctypes.c_char_p()
    while True:
        name = library.sinew_method(len(out), ctypes.byref(title))
        if name is None:
            return out
        out[name.decode()] = (title.value or b"").decode()


def load(source: PathOrBytes, *, name: str = "model.glb", files: Optional[Dict[str, bytes]] = None,
         open: Optional[OpenFunction] = None, in_process: bool = False, textures: bool = True, seconds: float = 60.0,
         megabytes: float = 8192.0, progress: Optional[ProgressFunction] = None) -> "Model":
    """Reads a model: .glb, .gltf, .fbx, .x, .iqm, .dae, .bvh and more.

    source: a path, or the bytes of a file; then `name` says by its ending what it is, and `files`
    has what lies beside it, by name. open: called for each further file that the model names, with
    a relative name that never leads out of its folder; gives its bytes, or None. A file is read in a
    process of its own, so that one that makes a reader crash, hang or take all memory raises an
    error; in_process=True goes without. progress: called with a fraction and a text; False cancels,
    as Ctrl-C does.
    """
    from_bytes = isinstance(source, (bytes, bytearray, memoryview))
    if open is not None and not from_bytes:
        raise ValueError("open: files beside a path are read from its folder")
    raised: List[BaseException] = []
    limits = _positive(seconds, "seconds"), _positive(megabytes, "megabytes")
    path = b"" if from_bytes else os.fsencode(os.fspath(source))
    if b"\0" in path:
        raise ValueError("source: the path has a character 0")
    given: Dict[str, bytes] = {}
    if from_bytes:
        given = {name: bytes(source), **(files or {})}

    def read(callback: Any) -> Handle:
        opener = _opener(open, raised)
        options = _library.ReadOptions(callback, opener, None, int(in_process), int(textures),
                                       *limits)
        if from_bytes:
            listed = (_library.File * len(given))()
            kept = []
            for entry, (key, data) in zip(listed, given.items()):
                kept.append((_text(key, "name"), ctypes.create_string_buffer(data, len(data) or 1)))
                entry.name = kept[-1][0]
                entry.data = ctypes.addressof(kept[-1][1])
                entry.size = len(data)
            return Handle(library.sinew_read_files(listed, len(given), ctypes.byref(options)),
                          library.sinew_model_free)
        return Handle(library.sinew_read(path, ctypes.byref(options)), library.sinew_model_free)

    try:
        model = Model._of(run_long(read, progress))
    except SinewError:
        if not raised:
            raise
    if raised:
        raise raised[0]
    return model


def _opener(open: Optional[OpenFunction], raised: List[BaseException]) -> Any:
    """A sinew_open of a function, whose exception ends up in raised."""
    if open is None:
        return _library.OpenFile()
    given: List[Any] = [None]  # the bytes have to stay until the library has copied them

    def call(_user: Any, name: bytes, out: Any) -> int:
        if raised:
            return 0
        try:
            data = open(name.decode("utf-8", "surrogateescape"))
            if data is None:
                return 0
            given[0] = ctypes.create_string_buffer(bytes(data), len(data) or 1)
            out.contents.data = ctypes.addressof(given[0])
            out.contents.size = len(data)
            return 1
        except BaseException as error:  # goes to the caller
            raised.append(error)
            return 0

    return _library.OpenFile(call)


class Clip:
    """A clip of a model: its name and its length in seconds."""

    def __init__(self, index: int, name: str, seconds: float):
        self.index = index
        self.name = name
        self.seconds = seconds

    def __repr__(self) -> str:
        return "Clip(%d, %r, %.3f s)" % (self.index, self.name, self.seconds)


class Model:
    """A rigged model: its meshes as one list of vertices over one list of joints, and its clips."""

    _handle: Optional[Handle]

    def __init__(self, positions: Any, triangles: Any, joints: Any = None, parents: Any = None,
                 inverse_bind: Any = None, weights: Any = None, normals: Any = None,
                 tangents: Any = None, texcoords: Any = None, joint_names: Optional[Sequence[str]] = None):
        """From arrays; they are copied.

        positions: V x 3. triangles: T x 3. parents: J, of each joint the index of its parent, -1 at
        the top; parents come first. inverse_bind: J x 4 x 4, joint space from bind space. weights:
        V x K with joints: V x K, the joints that a vertex follows; or V x J without joints. They are
        scaled to sum 1. Without parents the model is a mesh alone. normals: V x 3, computed where
        they are left out. tangents: V x 4, the last number 1 or -1, as in glTF. texcoords: V x 2.
        """
        np = _np()
        arrays = _library.Arrays()
        p = _array(positions, "positions", "f4", (None, 3))
        t = _array(triangles, "triangles", "u4", (None, 3))
        arrays.vertices, arrays.triangles = len(p), len(t)
        arrays.positions, arrays.indices = p.ctypes.data, t.ctypes.data
        kept = [p, t]
        if normals is not None:
            kept.append(_array(normals, "normals", "f4", (len(p), 3)))
            arrays.normals = kept[-1].ctypes.data
        if tangents is not None:
            kept.append(_array(tangents, "tangents", "f4", (len(p), 4)))
            arrays.tangents = kept[-1].ctypes.data
        if texcoords is not None:
            kept.append(_array(texcoords, "texcoords", "f4", (len(p), 2)))
            arrays.texcoords = kept[-1].ctypes.data
        if parents is not None:
            above = np.asarray(parents)
            if above.ndim != 1 or above.dtype.kind not in "iu":
                raise ValueError("parents: whole numbers, one for each joint, are expected")
            if above.size and int(above.max()) >= len(above):
                raise ValueError("parents: %d of %d" % (above.max(), len(above)))
            above = np.where(above.astype("i8") < 0, _NONE, above).astype("u4")
            if inverse_bind is None:
                raise ValueError("inverse_bind: it is missing")
            inverse = _array(inverse_bind, "inverse_bind", "f4", (len(above), 4, 4))
            inverse = np.ascontiguousarray(inverse.swapaxes(1, 2))
            if weights is None:
                raise ValueError("weights: they are missing")
            if joints is None:
                joints, weights = _heaviest(_array(weights, "weights", "f4", (len(p), len(above))))
            which = _array(joints, "joints", "u4", (len(p), None))
            shares = _array(weights, "weights", "f4", which.shape)
            kept += [above, inverse, which, shares]
            arrays.joints, arrays.influences = len(above), which.shape[1]
            arrays.parents, arrays.inverse_bind = above.ctypes.data, inverse.ctypes.data
            arrays.influence_joints, arrays.influence_weights = which.ctypes.data, shares.ctypes.data
            if joint_names is not None:
                if len(joint_names) != len(above):
                    raise ValueError("joint_names: %d names for %d joints" %
                                     (len(joint_names), len(above)))
                names = (ctypes.c_char_p * len(above))(*(_text(n, "joint_names") for n in joint_names))
                kept.append(names)
                arrays.joint_names = ctypes.addressof(names)
        self._open(Handle(library.sinew_from_arrays(ctypes.byref(arrays)), library.sinew_model_free))

    @classmethod
    def _of(cls, handle: Handle) -> "Model":
        model = cls.__new__(cls)
        model._open(handle)
        return model

    def _open(self, handle: Handle) -> None:
        self._handle = handle
        self._bindings: Dict[Tuple[Any, ...], Binding] = {}
        self._poses: List[Handle] = []
        self.report: Dict[str, float] = {}  # what bake() reports

    @property
    def _value(self) -> Handle:
        if self._handle is None:
            raise ValueError("model: it is closed")
        return self._handle

    def close(self) -> None:
        """Frees the model as soon as no array of it is in use. Later calls raise ValueError."""
        self._handle = None
        self._bindings = {}
        self._poses = []

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "Model(closed)"
        c = self._counts
        return "Model(%d vertices, %d triangles, %d joints, %d clips)" % (c.vertices, c.triangles,
                                                                         c.joints, c.clips)

    @property
    def _counts(self) -> _library.Counts:
        out = _library.Counts()
        check(library.sinew_count(self._value.value, ctypes.byref(out)))
        return out

    @property
    def _arrays(self) -> _library.Arrays:
        out = _library.Arrays()
        check(library.sinew_arrays_of(self._value.value, ctypes.byref(out)))
        return out

    @property
    def positions(self) -> "numpy.ndarray":
        """V x 3, bind space, the model's unit."""
        a = self._arrays
        return _view(self._value, a.positions, (a.vertices, 3), "f4")

    @property
    def normals(self) -> "numpy.ndarray":
        """V x 3, unit, bind space."""
        a = self._arrays
        return _view(self._value, a.normals, (a.vertices, 3), "f4")

    @property
    def tangents(self) -> "numpy.ndarray":
        """V x 4: unit, and the side of the bitangent, 1 or -1; 0 x 4 where the model has none."""
        a = self._arrays
        return _view(self._value, a.tangents, (a.vertices if a.tangents else 0, 4), "f4")

    @property
    def texcoords(self) -> "numpy.ndarray":
        """V x 2; (0, 0) is the upper left of the image."""
        a = self._arrays
        return _view(self._value, a.texcoords, (a.vertices, 2), "f4")

    @property
    def triangles(self) -> "numpy.ndarray":
        """T x 3 indices of vertices."""
        a = self._arrays
        return _view(self._value, a.indices, (a.triangles, 3), "u4")

    @property
    def joints(self) -> "numpy.ndarray":
        """V x K: the joints that each vertex follows, the heaviest first, padded with 0."""
        a = self._arrays
        return _view(self._value, a.influence_joints, (a.vertices, a.influences), "u4")

    @property
    def weights(self) -> "numpy.ndarray":
        """V x K: the weights of `joints`; their sum is 1."""
        a = self._arrays
        return _view(self._value, a.influence_weights, (a.vertices, a.influences), "f4")

    @property
    def dense_weights(self) -> "numpy.ndarray":
        """V x J, a new array: the weight of every joint at every vertex."""
        np = _np()
        a = self._arrays
        out = np.zeros((a.vertices, a.joints), "f4")
        np.add.at(out, (np.arange(a.vertices)[:, None], self.joints), self.weights)
        return out

    @property
    def parents(self) -> "numpy.ndarray":
        """J, a new array: the parent of each joint, -1 at the top."""
        a = self._arrays
        return _view(self._value, a.parents, (a.joints,), "u4").view("i4").copy()

    @property
    def inverse_bind(self) -> "numpy.ndarray":
        """J x 4 x 4: joint space from bind space."""
        a = self._arrays
        return _view(self._value, a.inverse_bind, (a.joints, 4, 4), "f4").swapaxes(1, 2)

    def _names(self, kind: str, count: int) -> List[str]:
        handle = self._value.value
        return [library.sinew_name(handle, _KINDS[kind], i).decode("utf-8", "replace")
                for i in range(count)]

    @property
    def joint_names(self) -> List[str]:
        """The names of the J joints."""
        return self._names("joint", self._counts.joints)

    @property
    def morphs(self) -> List[str]:
        """The names of the morph targets."""
        return self._names("morph", self._counts.morphs)

    @property
    def notes(self) -> List[str]:
        """What was repaired in the file, or is missing in it: a line each."""
        return self._names("note", self._counts.notes)

    @property
    def clips(self) -> List[Clip]:
        """The clips, with names and lengths."""
        names = self._names("clip", self._counts.clips)
        return [Clip(i, name, library.sinew_clip_seconds(self._value.value, i))
                for i, name in enumerate(names)]

    def _clip(self, clip: Union[None, int, str, Clip]) -> int:
        if clip is None:
            return _NONE
        if isinstance(clip, Clip):
            return clip.index
        if isinstance(clip, str):
            index = library.sinew_find(self._value.value, _KINDS["clip"], _text(clip, "clip"))
            if index == _NONE:
                raise failure()
            return index
        count = self._counts.clips
        index = _count(clip, "clip")
        if index >= count:
            raise ValueError("clip: %d of %d" % (index, count))
        return index

    def pose(self, clip: Union[None, int, str, Clip] = None, time: Any = 0.0, wrap: str = "clamp",
             layers: Optional[str] = None) -> "numpy.ndarray":
        """J x 4 x 4: model space from joint space, of a clip at a time; F x J x 4 x 4 of F times.

        clip: an index, a name, or None for the rest pose; "bind" is the pose in which the mesh was
        modelled. wrap: "clamp", "loop" or "ping-pong". layers: the JSON text of animation layers.
        """
        np = _np()
        if wrap not in _WRAPS:
            raise ValueError("wrap: '%s'; one of %s" % (wrap, ", ".join(_WRAPS)))
        try:
            times = np.asarray(time, "f8")
        except (TypeError, ValueError):
            times = np.full(1, np.nan)
        if times.ndim > 1 or not np.isfinite(times).all():
            raise ValueError("time: a number or a list of numbers is expected")
        handle = self._value
        pose = Handle(library.sinew_pose_make(handle.value), library.sinew_pose_free)
        if layers is not None:
            check(library.sinew_pose_layers(pose.value, _text(layers, "layers")))
        count = self._counts.joints
        out = np.empty((times.size, count, 4, 4), "f4")
        bind = clip == "bind"
        index = _NONE if bind else self._clip(clip)
        for i, t in enumerate(times.reshape(-1)):
            if bind:
                check(library.sinew_pose_reset(pose.value, 1))
            else:
                check(library.sinew_pose_sample(pose.value, index, float(t), _WRAPS[wrap]))
            check(library.sinew_pose_matrices(pose.value, out[i].ctypes.data))
        out = out.swapaxes(2, 3)
        return out if times.ndim == 1 else out[0]

    def bind(self, method: str, **settings: Any) -> "Binding":
        """A method bound to the model; kept, so that the same call later costs nothing.

        method: a name of methods(). settings: influences and the method's parameters, by name, with
        '_' for '-': bind("arc-spline", influences=4, attachments=1).
        """
        handle = self._value
        key = (_text(method, "method"), _settings(dict(sorted(settings.items()))))
        if key not in self._bindings:
            try:
                bound = Handle(library.sinew_bind(handle.value, *key), library.sinew_binding_free)
            except UsageError as error:
                raise _spelled(error, settings) from None
            self._bindings[key] = Binding(bound)
        return self._bindings[key]

    def skin(self, method: str, pose: Any, out: Optional["numpy.ndarray"] = None,
             normals: Optional["numpy.ndarray"] = None, threads: int = 0,
             progress: Optional[ProgressFunction] = None,
             tangents: Optional["numpy.ndarray"] = None, **settings: Any) -> "numpy.ndarray":
        """The posed vertices by a method: V x 3, or F x V x 3 of F poses.

        pose: J x 4 x 4 or F x J x 4 x 4, model space from joint space, as pose() gives. out, normals:
        arrays to write to, of that shape, and tangents with 4 numbers a vertex; the rows of one pose
        may have any stride. threads: of many poses; 0: one for each core.
        """
        return self.bind(method, **settings).skin(pose, out, normals, threads, progress, tangents)

    def attributes(self, method: str, **settings: Any) -> Dict[str, "numpy.ndarray"]:
        """What a vertex shader needs of every vertex, by name: V x components, as shader() reads it."""
        return self.bind(method, **settings).attributes

    def palette(self, method: str, pose: Any, **settings: Any) -> Tuple["numpy.ndarray", bool]:
        """Binding.palette() of a method."""
        return self.bind(method, **settings).palette(pose)

    def shader(self, method: str, target: str = "glsl330", stretches: bool = False,
               **settings: Any) -> str:
        """The vertex shader of a method: "glsl330", "glsl120", "es300" or its "function" alone."""
        return self.bind(method, **settings).shader(target, stretches)

    def bake(self, method: str, clip: Union[None, int, str, Clip] = None,
             helpers: Optional[int] = None, influences: int = 4, morphs: int = 0,
             tolerance: float = 0.005, frames_per_second: float = 30.0, poses: int = 320,
             progress: Optional[ProgressFunction] = None, **settings: Any) -> "Model":
        """A method as linear blending with helper joints, for every engine.

        clip: the one to bake; None: all. helpers: at most so many joints are added; None: as many as
        the tolerance, a share of the model's size, takes. The result's `report` has the distances
        from the method in poses that were held out, and those of plain linear blending.
        """
        handle = self._value
        options = _library.BakeOptions(
            0 if helpers is None else _count(helpers, "helpers"), int(helpers == 0),
            _count(influences, "influences", 1), _count(morphs, "morphs"),
            _positive(tolerance, "tolerance"), _positive(frames_per_second, "frames_per_second"),
            _count(poses, "poses", 8))
        report = _library.BakeReport()
        index = self._clip(clip)
        name, text = _text(method, "method"), _settings(settings)

        def run(callback: Any) -> Handle:
            return Handle(library.sinew_bake(handle.value, name, text, index,
                                             ctypes.byref(options), ctypes.byref(report), callback,
                                             None), library.sinew_model_free)

        try:
            out = Model._of(run_long(run, progress))
        except UsageError as error:
            raise _spelled(error, settings) from None
        out.report = {name: getattr(report, name) for name, _ in report._fields_}
        return out

    def measure(self, posed: Any, reference: Any) -> Dict[str, "numpy.ndarray"]:
        """What a method does to the skin: of posed vertices F x V x 3 (or V x 3) each measure by name.

        reference: the same poses by linear blending. The measures are those of `sinew compare`:
        volume, stretch, curvature (degrees), folded, flipped, distance, mean_distance,
        self_intersections; nan where one is not defined, as where no vertex is finite.
        """
        np = _np()
        count = self._counts.vertices
        single = np.ndim(posed) == 2
        shape = (None, count, 3)
        p = _array(np.asarray(posed)[None] if single else posed, "posed", "f4", shape)
        r = _array(np.asarray(reference)[None] if single else reference, "reference", "f4",
                   (len(p), count, 3))
        out = np.empty((len(p), len(_library.MEASURES)), "f8")
        handle = self._value

        def run(_callback: Any) -> None:
            check(library.sinew_measure(handle.value, p.ctypes.data, r.ctypes.data, len(p),
                                        out.ctypes.data))

        run_long(run)
        return {name: out[0, i] if single else out[:, i]
                for i, name in enumerate(_library.MEASURES)}

    def compare(self, methods: Sequence[str], poses: Any) -> Dict[str, Dict[str, "numpy.ndarray"]]:
        """measure() of several methods in the same poses, by the method's name."""
        reference = self.skin("lbs", poses)
        return {name: self.measure(self.skin(name, poses), reference) for name in methods}

    def to_bytes(self, format: str = "glb") -> bytes:
        """The model as a file in memory."""
        handle, kind = self._value, _text(format, "format")
        return run_long(lambda _: take_bytes(library.sinew_save(handle.value, kind)))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model, as .glb."""
        name = os.fspath(path)
        if not name.lower().endswith(".glb"):
            raise ValueError("path: '%s' has to end in .glb" % name)
        data = self.to_bytes()
        with open(name, "wb") as file:
            file.write(data)


class Binding:
    """A method bound to a model: Model.bind()."""

    def __init__(self, handle: Handle):
        self._handle = handle
        self._lock = threading.Lock()  # sinew_skin() is for one thread at a time
        layout = _library.Layout()
        check(library.sinew_layout_of(handle.value, ctypes.byref(layout)))
        self.vertices: int = layout.vertices
        self.joints: int = layout.joints
        self.entries: int = layout.entries
        self.rows_per_entry: int = layout.rows_per_entry
        self.fast: bool = bool(layout.fast)
        self.has_tangents: bool = bool(layout.tangents)
        self._attributes = layout.attributes
        self._rows = (ctypes.c_float * max(4 * layout.rows, 1))()
        self._stretches = ctypes.c_int32()

    def skin(self, pose: Any, out: Optional["numpy.ndarray"] = None,
             normals: Optional["numpy.ndarray"] = None, threads: int = 0,
             progress: Optional[ProgressFunction] = None,
             tangents: Optional["numpy.ndarray"] = None) -> "numpy.ndarray":
        """As Model.skin()."""
        matrices = _matrices(pose, "pose", self.joints)
        shape = matrices.shape[:-3] + (self.vertices, 3)
        if out is None:
            out = _np().empty(shape, "f4")
        else:
            _target(out, "out", shape)
        if normals is not None:
            _target(normals, "normals", shape)
        if tangents is not None:
            _target(tangents, "tangents", shape[:-1] + (4,))
        if len(shape) == 2:
            to, normals_to = _stream(out, "out"), _stream(normals, "normals")
            tangents_to = _stream(tangents, "tangents")
            with self._lock:
                check(library.sinew_pack(self._handle.value, matrices.ctypes.data, None, self._rows,
                                         ctypes.byref(self._stretches)))
                check(library.sinew_skin(self._handle.value, self._rows, self._stretches.value, to,
                                         normals_to, tangents_to))
            return out
        for array, name in ((out, "out"), (normals, "normals"), (tangents, "tangents")):
            if array is not None and not array.flags.c_contiguous:
                raise ValueError("%s: of many poses a packed array is expected" % name)

        most = _count(threads, "threads")

        def run(callback: Any) -> None:
            check(library.sinew_skin_batch(
                self._handle.value, matrices.ctypes.data, len(matrices), out.ctypes.data,
                None if normals is None else normals.ctypes.data,
                None if tangents is None else tangents.ctypes.data, most, callback, None))

        run_long(run, progress)
        return out

    def reference(self, pose: Any, normals: Optional["numpy.ndarray"] = None,
                  tangents: Optional["numpy.ndarray"] = None) -> "numpy.ndarray":
        """V x 3 by the method's plain reference: slow, and without vector code."""
        rows, stretches = self.palette(pose)
        out = _np().empty((self.vertices, 3), "f4")
        for array, name, numbers in ((normals, "normals", 3), (tangents, "tangents", 4)):
            if array is not None:
                _target(array, name, (self.vertices, numbers))
        check(library.sinew_skin_reference(
            self._handle.value, rows.ctypes.data, int(stretches), _stream(out, "out"),
            _stream(normals, "normals"), _stream(tangents, "tangents")))
        return out

    def palette(self, pose: Any) -> Tuple["numpy.ndarray", bool]:
        """What the shader needs of a pose: entries x rows x 4, and whether the pose stretches."""
        matrices = _matrices(pose, "pose", self.joints)
        if matrices.ndim != 3:
            raise ValueError("pose: one pose is expected, not %d" % len(matrices))
        rows = _np().zeros((self.entries, self.rows_per_entry, 4), "f4")
        stretches = ctypes.c_int32()
        check(library.sinew_pack(self._handle.value, matrices.ctypes.data, None, rows.ctypes.data,
                                 ctypes.byref(stretches)))
        return rows, bool(stretches.value)

    def morph(self, weights: Any) -> None:
        """From now on vertices are as morph targets move them; weights: one for each target."""
        values = _array(weights, "weights", "f4", (None,))
        with self._lock:
            check(library.sinew_morph(self._handle.value, values.ctypes.data, len(values)))

    @property
    def attributes(self) -> Dict[str, "numpy.ndarray"]:
        """As Model.attributes()."""
        out = {}
        entry = _library.Attribute()
        for i in range(self._attributes):
            check(library.sinew_attribute_of(self._handle.value, i, ctypes.byref(entry)))
            kind, components = _FORMATS[entry.format]
            out[entry.name.decode()] = _view(self._handle, entry.data, (self.vertices, components),
                                             kind)
        return out

    def shader(self, target: str = "glsl330", stretches: bool = False) -> str:
        """As Model.shader()."""
        return take_bytes(library.sinew_shader(self._handle.value, _text(target, "target"),
                                               int(stretches))).decode()

    def to_bytes(self, skin: bool = True) -> bytes:
        """For a file that Binding.from_bytes() reads, so that a program prepares nothing when it loads.

        It has what palette() needs, some kilobytes, and with skin the prepared vertices.
        """
        return take_bytes(library.sinew_binding_save(self._handle.value, int(skin)))

    @staticmethod
    def from_bytes(data: bytes) -> "Binding":
        """A binding from to_bytes(): it makes palettes, and skins if its vertices were kept.

        It has no reference, attributes and shader, and no morph targets. Read your own: damage is an
        InputError, but bytes made to do harm are not all found.
        """
        kept = bytes(data)
        return Binding(Handle(library.sinew_binding_read(kept, len(kept)),
                              library.sinew_binding_free))


def weights(mesh: Model, skeleton: Model, method: str = "auto", influences: int = 4,
            progress: Optional[ProgressFunction] = None) -> Model:
    """The meshes of one model bound to the joints of another by automatic weights.

    method: "auto", "bone-glow", "bone-heat", "envelopes", "nearest-bones" or "bones-blending". influences:
    kept per vertex.
    """
    for model, name in ((mesh, "mesh"), (skeleton, "skeleton")):
        if not isinstance(model, Model):
            raise TypeError("%s: a Model is expected" % name)
    first, second = mesh._value, skeleton._value
    name_of_method, most = _text(method, "method"), _count(influences, "influences", 1)
    return Model._of(run_long(
        lambda callback: Handle(library.sinew_weights(first.value, second.value, name_of_method,
                                                      most, callback, None),
                                library.sinew_model_free), progress))


def render(source: Union[Model, str, "os.PathLike[str]"], size: Tuple[int, int] = (640, 480),
           method: str = "lbs", clip: Optional[str] = None, time: float = 0.0,
           arguments: Sequence[str] = ()) -> "numpy.ndarray":
    """A picture, H x W x 4 of uint8, by the program `sinew`, which has to be installed.

    source: a Model, or the path of a file. arguments: further words of `sinew render`, such as
    ["--show", "skeleton"]. The program is looked for in SINEW_PROGRAM, then in PATH.
    """
    import shutil
    import subprocess
    import tempfile

    program = os.environ.get("SINEW_PROGRAM") or shutil.which("sinew")
    if program is None:
        raise UsageError("the program sinew is not installed; apt-get install sinew")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.glb")
        if isinstance(source, Model):
            source.save(path)
        else:
            path = os.fspath(source)
        picture = os.path.join(folder, "picture.png")
        words = [program, "render", path, "--quiet", "--size", "%dx%d" % size, "--method", method,
                 "--time", str(time), "-o", picture, *arguments]
        if clip is not None:
            words += ["--clip", clip]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or ["exit code %d" % done.returncode]
            raise SinewError(lines[-1])
        with open(picture, "rb") as file:
            return _read_png(file.read())


def _word(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, str):
        try:
            return "%.9g" % value
        except TypeError:
            raise TypeError("%s: a number or a word is expected, not %s" %
                            (name, type(value).__name__)) from None
    return _text(value, name).decode()


def _heaviest(dense: Any) -> Tuple[Any, Any]:
    """V x J weights as the joints and weights of those above 0."""
    np = _np()
    most = max(int((dense > 0).sum(axis=1).max(initial=0)), 1)
    order = np.argsort(-dense, axis=1, kind="stable")[:, :most]
    return order.astype("u4"), np.take_along_axis(dense, order, axis=1)


def _read_png(data: bytes) -> Any:
    """8-bit RGB or RGBA without interlacing, as the program writes them."""
    import struct
    import zlib

    np = _np()
    at, packed = 8, b""
    width = height = channels = 0
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack_from(">IIBB", body)
            channels = {2: 3, 6: 4}[color]
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = np.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + width * channels)
    out = np.zeros((height, width * channels), "u1")
    above = np.zeros(width * channels, "u1")
    for y in range(height):
        above = out[y] = _unfiltered(int(raw[y, 0]), raw[y, 1:], above, channels)
    out = out.reshape(height, width, channels)
    if channels == 4:
        return out
    return np.dstack([out, np.full((height, width, 1), 255, "u1")])


def _unfiltered(kind: int, line: Any, above: Any, step: int) -> Any:
    """A row of a PNG; line: the bytes behind the filter's number."""
    np = _np()
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    if kind == 1:
        return np.cumsum(line.reshape(-1, step), axis=0, dtype="u1").reshape(-1)
    out = [0] * (len(line) + step)
    up = [0] * step + above.tolist()
    for i, value in enumerate(line.tolist()):
        a, b, c = out[i], up[i + step], up[i]
        if kind == 3:
            guess = (a + b) // 2
        else:
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
        out[i + step] = (value + guess) & 255
    return np.array(out[step:], "u1")
