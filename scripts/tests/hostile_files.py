"""Model files that ask for more than any honest one: deep, wide, repeated, misnamed. Each is written
into a folder and has to be shown, or refused by one line, soon (safety_test.py, viewer_files_test.py).
"""
import json
import struct
from array import array


def write_glb(path, joints=2, vertices=3, clips=1, chain=False, triangles=None, names="j{}"):
    """A strip of triangles on a root with that many joints, or on a chain of them, and clips that
    rotate one of them."""
    data, views, accessors = bytearray(), [], []

    def add(numbers, kind, elements, count, **more):
        numbers = numbers.tobytes()
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(numbers)})
        data.extend(numbers)
        data.extend(bytes(-len(data) % 4))
        accessors.append({"bufferView": len(views) - 1, "componentType": kind, "type": elements,
                          "count": count, **more})
        return len(accessors) - 1

    positions = array("f", bytes(12 * vertices))
    positions[0::3] = array("f", [i % 2 for i in range(vertices)])
    positions[1::3] = array("f", [i / vertices for i in range(vertices)])
    indices = array("H", bytes(8 * vertices))
    indices[0::4] = array("H", [i % joints for i in range(vertices)])
    if triangles is None:
        triangles = [i + k for i in range(vertices - 2) for k in range(3)]
    identity = array("f", [float(i % 5 == 0) for i in range(16)])
    attributes = {
        "POSITION": add(positions, 5126, "VEC3", vertices, min=[0, 0, 0], max=[1, 1, 0]),
        "JOINTS_0": add(indices, 5123, "VEC4", vertices),
        "WEIGHTS_0": add(array("f", [1, 0, 0, 0] * vertices), 5126, "VEC4", vertices)}
    primitive = {"attributes": attributes,
                 "indices": add(array("I", triangles), 5125, "SCALAR", len(triangles))}
    matrices = add(identity * joints, 5126, "MAT4", joints)
    sampler = {"input": add(array("f", [0, 1]), 5126, "SCALAR", 2, min=[0], max=[1]),
               "output": add(array("f", [0, 0, 0, 1, 0, 0, 1, 0]), 5126, "VEC4", 2)}
    channel = {"sampler": 0, "target": {"node": 1, "path": "rotation"}}
    nodes = [{"name": names.format(i)} for i in range(joints)] + [{"mesh": 0, "skin": 0}]
    if chain:
        for i in range(joints - 1):
            nodes[i].update(children=[i + 1], translation=[0, 1e-4, 0])
    else:
        nodes[0]["children"] = list(range(1, joints))
    data = bytes(data)
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, joints]}], "nodes": nodes,
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": list(range(joints)), "inverseBindMatrices": matrices}],
        "animations": [{"channels": [channel], "samplers": [sampler]}] * clips,
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data)}]}).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) +
                     struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(data), b"BIN\0") + data)


def write_missing_textures(folder, count):
    (folder / "textures.mtl").write_text("".join(f"newmtl m{i}\nmap_Kd gone{i}.png\n" for i in range(count)))
    faces = "".join(f"v {i} 0 1\nusemtl m{i}\nf 1/1 2/1 -1/1\n" for i in range(count))
    (folder / "textures.obj").write_text("mtllib textures.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n" + faces)


def is_sanitized(program):
    return b"__asan_init" in program.read_bytes()


def write_faults_of_assimp(folder):
    """Files that make Assimp's readers hang, crash, and crash here and hang in a browser: by path what is said."""
    folder.mkdir(exist_ok=True)
    # A list of nodes without an end; a joint's number that is beyond the list; a thumbnail without an end.
    files = {"hang.smd": (b'version 1\nnodes\n0 "a"\n', "--time-limit"),
             "number.smd": (b'version 1\nnodes\n4294967295 "a" -1\n', "crashed"),
             "crash.cob": (b"Caligari V00.01BLH".ljust(31) + b"\nBitM" + struct.pack("<HHIII", 0, 1, 0, 0, 3814), "crashed")}
    for name, (content, _) in files.items():
        (folder / name).write_bytes(content)
    return {folder / name: says for name, (_, says) in files.items()}


def write_hostile_files(folder):
    """Paths, the exit code of reading each, and a word of what is said."""
    def glb(name, **sizes):
        write_glb(folder / f"{name}.glb", **sizes)
        return folder / f"{name}.glb"

    fan = [k for i in range(1, 19_999) for k in (0, i, i + 1)]
    write_missing_textures(folder, 800)
    # A face of 600,000 corners, in one line of 1.2 MB.
    (folder / "line.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf" + " 1 2 3" * 200_000 + "\n")
    zones = glb("zones", joints=10_000)
    joints = {f"nobody {i}": {"min": -0.1, "max": 0.1} for i in range(10_000)}
    (folder / "zones.glb.zones.json").write_text(json.dumps({"sinew": "zones", "joints": joints}))
    weights = glb("weights")
    (folder / "weights.glb.weights.json").write_text('{"sinew": "weights", "joints": ["' + "x" * 6_000_000 + '"]}')
    return [
        (glb("chain", joints=20_000, vertices=20_000, chain=True), 0, ""),
        (glb("equal", triangles=[0, 1, 2] * 100_000), 0, ""),
        (glb("fan", vertices=20_000, triangles=fan), 0, ""),
        (glb("names", joints=3, names="\x1b[2J\u202e\n{}"), 0, ""),
        (folder / "textures.obj", 0, ""),
        (folder / "line.obj", 4, "600000 corners"),
        (zones, 3, "nobody"),
        (weights, 4, "longer than"),
        *((path, 4 if path.stem == "hang" else 3, says) for path, says in write_faults_of_assimp(folder / "faults").items()),
    ]


def control_characters(text):
    """Those that a terminal would obey, but ends of lines."""
    return {c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u202e\u2066")}
