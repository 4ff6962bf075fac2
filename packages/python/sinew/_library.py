"""libsinew.so by ctypes: the structs and functions of sinew.h, and its errors as exceptions."""
import ctypes
import os
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int32, c_size_t,
                    c_uint32, c_void_p)

ABI = 2
NONE = 0xFFFFFFFF


class SinewError(Exception):
    """A call has failed; the message is one line."""


class UsageError(SinewError, ValueError):
    """An argument or a setting is wrong."""


class InputError(SinewError):
    """The file, or the arrays, are at fault."""


class LimitError(SinewError):
    """A limit of time or memory was reached."""


class Cancelled(SinewError):
    """A progress function has returned False."""


_ERRORS = {2: UsageError, 3: InputError, 4: LimitError, 6: Cancelled}

Progress = CFUNCTYPE(c_int32, c_void_p, c_float, c_char_p)


class File(Structure):
    _fields_ = [("name", c_char_p), ("data", c_void_p), ("size", c_size_t)]


OpenFile = CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(File))


class ReadOptions(Structure):
    _fields_ = [("progress", Progress), ("open", OpenFile), ("user", c_void_p), ("in_process", c_int32),
                ("textures", c_int32), ("seconds", c_double), ("megabytes", c_double)]


class Arrays(Structure):
    _fields_ = [("vertices", c_uint32), ("triangles", c_uint32), ("joints", c_uint32),
                ("influences", c_uint32), ("positions", c_void_p), ("position_stride", c_size_t),
                ("normals", c_void_p), ("normal_stride", c_size_t), ("tangents", c_void_p),
                ("tangent_stride", c_size_t), ("texcoords", c_void_p), ("texcoord_stride", c_size_t),
                ("indices", c_void_p), ("influence_joints", c_void_p),
                ("influence_weights", c_void_p), ("parents", c_void_p), ("inverse_bind", c_void_p),
                ("joint_names", c_void_p)]


class Counts(Structure):
    _fields_ = [(name, c_uint32) for name in
                ("vertices", "triangles", "joints", "nodes", "clips", "morphs", "meshes", "notes")]


class Layout(Structure):
    _fields_ = [(name, c_uint32) for name in
                ("vertices", "joints", "entries", "rows_per_entry", "rows", "attributes")] + [
                    ("fast", c_int32), ("tangents", c_int32)]


class Attribute(Structure):
    _fields_ = [("name", c_char_p), ("data", c_void_p), ("size", c_size_t), ("format", c_int32),
                ("palette", c_int32)]


class Stream(Structure):
    _fields_ = [("data", c_void_p), ("stride", c_size_t)]


class BakeOptions(Structure):
    _fields_ = [("helpers", c_uint32), ("no_helpers", c_int32), ("influences", c_uint32),
                ("morphs", c_uint32), ("tolerance", c_float), ("frames_per_second", c_float),
                ("poses", c_uint32)]


class BakeReport(Structure):
    _fields_ = [("helpers", c_uint32), ("morphs", c_uint32), ("poses", c_uint32),
                ("linear_mean", c_double), ("linear_largest", c_double), ("baked_mean", c_double),
                ("baked_largest", c_double)]


MEASURES = ("volume", "stretch", "curvature", "folded", "flipped", "distance", "mean_distance",
            "self_intersections")

# Result and arguments of every function: p a pointer or handle, s text, u uint32, i int32,
# z size_t, d double, f float, P a progress function, S a stream.
_TYPES = {"p": c_void_p, "s": c_char_p, "u": c_uint32, "i": c_int32, "z": c_size_t, "d": c_double,
          "f": c_float, "P": Progress, "S": Stream, "-": None}
_FUNCTIONS = {
    "abi": "u", "version": "s", "last_error": "ipz", "blob_data": "ppp", "blob_free": "-p",
    "read": "psp", "read_files": "ppzp", "from_arrays": "pp", "arrays_of": "ipp",
    "model_free": "-p", "count": "ipp", "name": "spiu", "find": "upis", "clip_seconds": "fpu",
    "graph": "ippp", "save": "pps", "pose_make": "pp", "pose_free": "-p", "pose_reset": "ipi",
    "pose_sample": "ipudi", "pose_layers": "ips", "pose_transforms": "pp", "pose_morphs": "pp",
    "pose_matrices": "ipp", "pose_twists": "ipp", "method": "sup", "bind": "ppss",
    "binding_free": "-p", "layout_of": "ipp", "attribute_of": "ipup", "shader": "ppsi",
    "pack": "ippppp", "skin": "ippiSSS", "skin_reference": "ippiSSS", "skin_batch": "ippzpppuPp",
    "morph": "ippu", "binding_save": "ppi", "binding_read": "ppz", "weights": "pppsuPp",
    "bake": "ppssuppPp", "measure": "ipppzp",
}


def _open():
    """libsinew.so, with the types of its functions."""
    name = "libsinew.so.%d" % ABI
    places = [os.environ.get("SINEW_LIBRARY"), os.path.join(os.path.dirname(__file__), name)]
    place = next((p for p in places if p and os.path.exists(p)), name)
    try:
        library = ctypes.CDLL(place)
    except OSError as error:
        raise ImportError("%s: %s; install libsinew%d, or name the file in SINEW_LIBRARY" %
                          (place, error, ABI)) from None
    for function, types in _FUNCTIONS.items():
        symbol = getattr(library, "sinew_" + function)
        symbol.restype = _TYPES[types[0]]
        symbol.argtypes = [_TYPES[t] for t in types[1:]]
    if library.sinew_abi() != ABI:
        raise ImportError("%s has ABI %d, and this module needs %d" %
                          (place, library.sinew_abi(), ABI))
    return library


class _Library:
    """libsinew.so, opened by the first call: with the libraries that it needs that takes longer than
    importing all of the package."""

    def __getattr__(self, name):
        if not name.startswith("sinew_"):
            raise AttributeError(name)
        opened = _open()
        for function in _FUNCTIONS:
            setattr(self, "sinew_" + function, getattr(opened, "sinew_" + function))
        return self.__dict__[name]


library = _Library()


def failure():
    """The exception of the last call that has failed in this thread."""
    text = ctypes.create_string_buffer(4096)
    code = library.sinew_last_error(text, len(text))
    return _ERRORS.get(code, SinewError)(text.value.decode("utf-8", "replace"))


def check(code):
    """Raises for any code but SINEW_OK."""
    if code != 0:
        raise failure()


class Handle:
    """Owns a handle of the library: views of its memory hold it, and the last one frees it."""
    __slots__ = ("value", "_free", "__weakref__")

    def __init__(self, value, free):
        if not value:
            raise failure()
        self.value = value
        self._free = free

    def __del__(self):
        if getattr(self, "value", None):
            self._free(self.value)


def take_bytes(blob):
    """The bytes of a sinew_blob, which is freed."""
    if not blob:
        raise failure()
    try:
        size = c_size_t()
        data = library.sinew_blob_data(blob, ctypes.byref(size))
        return ctypes.string_at(data, size.value)
    finally:
        library.sinew_blob_free(blob)


def run_long(call, progress=None):
    """Calls call(progress function of the library), so that Ctrl-C cancels it.

    The work is done in a thread of its own without the interpreter's lock, while the main thread
    waits for it and for signals. progress(fraction, text) is called in that thread; returning False
    cancels, and so does an exception, which is raised here again.
    """
    stop = threading.Event()
    raised = []
    result = []

    def report(_user, fraction, text):
        if stop.is_set():
            return 0
        if progress is None:
            return 1
        try:
            return 0 if progress(fraction, text.decode("utf-8", "replace")) is False else 1
        except BaseException as error:  # goes to the caller
            raised.append(error)
            return 0

    callback = Progress(report)

    def work():
        try:
            result.append(call(callback))
        except BaseException as error:
            raised.append(error)

    if threading.current_thread() is not threading.main_thread():
        work()
    else:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.05)
        except BaseException:
            stop.set()
            thread.join()
            raise
    if raised:
        raise raised[0]
    return result[0]
