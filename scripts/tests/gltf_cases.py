"""Small glTF files, one for each rule of the format that readers get wrong.

Usage: gltf_cases.py FOLDER. Every file is a tube of square rings about three joints (or what its name
says of it), with one clip of two seconds.
"""
import base64
import json
import math
import struct
import sys
from pathlib import Path

BYTE, UBYTE, SHORT, USHORT, UINT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
FORMATS = {BYTE: "b", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I", FLOAT: "f"}
LARGEST = {BYTE: 127, UBYTE: 255, SHORT: 32767, USHORT: 65535}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
RINGS = 9
JOINT_Y = [0.0, 0.7, 1.4]


def axis_angle(axis, angle):
    s = math.sin(angle / 2)
    return [axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2)]


def translation(x, y, z):
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


class Writer:
    def __init__(self):
        self.data = bytearray()
        self.json = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}

    def view(self, data, **more):
        while len(self.data) % 4:
            self.data.append(0)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more})
        self.data += data
        return len(self.json["bufferViews"]) - 1

    @staticmethod
    def pack(rows, kind, normalized, pad=0):
        out = b""
        for row in rows:
            values = [round(c * LARGEST[kind]) for c in row] if normalized else row
            if kind != FLOAT:
                values = [int(round(c)) for c in values]
            element = struct.pack("<%d%s" % (len(values), FORMATS[kind]), *values)
            out += element + b"\x55" * (max(pad - len(element), 0))
        return out

    def add(self, rows, kind=FLOAT, normalized=False, stride=None, sparse=None):
        """rows: lists of components. stride: bytes from element to element. sparse: (with a view?)."""
        accessor = {"componentType": kind, "count": len(rows), "type": TYPES[len(rows[0])]}
        if normalized:
            accessor["normalized"] = True
        if kind == FLOAT and len(rows[0]) in (1, 3):
            columns = list(zip(*rows))
            single = lambda x: struct.unpack("<f", struct.pack("<f", x))[0]
            accessor["min"] = [single(min(c)) for c in columns]
            accessor["max"] = [single(max(c)) for c in columns]
        if sparse is None:
            more = {"byteStride": stride} if stride else {}
            accessor["bufferView"] = self.view(self.pack(rows, kind, normalized, stride or 0), **more)
        else:
            # Every third element in place; without a view the rest is zero, so all are sparse then.
            changed = [i for i in range(len(rows)) if i % 3 == 0 or not sparse]
            if sparse:
                plain = [[9.0] * len(r) if i % 3 == 0 else r for i, r in enumerate(rows)]
                accessor["bufferView"] = self.view(self.pack(plain, kind, normalized))
            accessor["sparse"] = {
                "count": len(changed),
                "indices": {"bufferView": self.view(self.pack([[i] for i in changed], USHORT, False)),
                            "componentType": USHORT},
                "values": {"bufferView": self.view(self.pack([rows[i] for i in changed], kind, normalized))},
            }
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def save(self, path, uri=None):
        path = Path(path)
        if path.suffix in (".glb", ".vrm"):
            self.json["buffers"] = [{"byteLength": len(self.data)}]
            text = json.dumps(self.json).encode()
            text += b" " * (-len(text) % 4)
            data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
            path.write_bytes(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(data)) +
                             struct.pack("<I", len(text)) + b"JSON" + text +
                             struct.pack("<I", len(data)) + b"BIN\0" + data)
            return
        if uri is None:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        else:
            (path.parent / uri.replace("%20", " ")).write_bytes(self.data)
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        path.write_text(json.dumps(self.json))


def tube():
    positions, normals, texcoords = [], [], []
    for ring in range(RINGS):
        for corner in range(4):
            a = math.pi / 4 + corner * math.pi / 2
            positions.append([0.2 * math.cos(a), 0.25 * ring, 0.2 * math.sin(a)])
            normals.append([math.cos(a), 0.0, math.sin(a)])
            texcoords.append([corner / 4, ring / (RINGS - 1)])
    indices = []
    for ring in range(RINGS - 1):
        for corner in range(4):
            a, b = 4 * ring + corner, 4 * ring + (corner + 1) % 4
            indices += [a, a + 4, b, b, a + 4, b + 4]
    return positions, normals, texcoords, indices


def tube_weights(positions, joints=JOINT_Y):
    out = []
    for _, y, _ in positions:
        w = [math.exp(-8 * (y - 0.35 - j) ** 2) for j in joints]
        out.append([x / sum(w) for x in w])
    return out


# What the base file is made of; a case changes some of it.
DEFAULTS = dict(
    position=(FLOAT, False), normal=(FLOAT, False), texcoord=(FLOAT, False), weight=(FLOAT, False),
    index=USHORT, mode=4, indexed=True, stride=None, sparse=None, ibm="plain", joints=JOINT_Y,
    interpolation="LINEAR", rotation_kind=(FLOAT, False), first_key=0.0, key_length=1.0,
    names=lambda i: ["root", "arm", "hand", "mesh"][i] if i < 4 else "node %d" % i,
)


def build(**changes):
    o = {**DEFAULTS, **changes}
    w = Writer()
    positions, normals, texcoords, indices = tube()
    joints = o["joints"]
    weights = tube_weights(positions, joints)
    kind, normalized = o["position"]
    scale = 1.0
    if kind != FLOAT and not normalized:
        scale = 10000.0 if kind == SHORT else 50.0
        positions = [[c * scale for c in p] for p in positions]
    elif kind != FLOAT:  # within [-1, 1]
        scale = 1 / 2.5
        positions = [[c * scale for c in p] for p in positions]
    used = positions
    if not o["indexed"]:
        order = indices
        used = [positions[i] for i in order]
        normals, texcoords, weights = ([x[i] for i in order] for x in (normals, texcoords, weights))
    size = {BYTE: 1, UBYTE: 1, SHORT: 2, USHORT: 2, FLOAT: 4}
    padded = lambda kind, n: o["stride"] or (-(-n * size[kind] // 4) * 4 if kind != FLOAT else None)
    attributes = {"POSITION": w.add(used, kind, normalized, padded(kind, 3), o["sparse"])}
    kind, normalized = o["normal"]
    attributes["NORMAL"] = w.add(normals, kind, normalized, padded(kind, 3))
    kind, normalized = o["texcoord"]
    attributes["TEXCOORD_0"] = w.add(texcoords, kind, normalized, padded(kind, 2))
    kind, normalized = o["weight"]
    for first in range(0, len(joints), 4):
        four = [(x + [0.0] * 12)[first:first + 4] for x in weights]
        if kind != FLOAT:  # the integers of all sets sum to the largest
            four = [[math.floor(x * LARGEST[kind]) / LARGEST[kind] for x in f] for f in four]
            for f in four:
                f[f.index(max(f))] += 1 - sum(f)
        names = [[first + i if first + i < len(joints) else 0 for i in range(4)]] * len(four)
        attributes["JOINTS_%d" % (first // 4)] = w.add(names, USHORT if o["stride"] else UBYTE)
        attributes["WEIGHTS_%d" % (first // 4)] = w.add(four, kind, normalized)
    primitive = {"attributes": attributes, "mode": o["mode"]}
    if o["mode"] == 5:  # one strip along every side of the tube, joined by triangles without an area
        strip = []
        for corner in range(4):
            side = []
            for ring in range(RINGS):
                side += [4 * ring + (corner + 1) % 4, 4 * ring + corner]
            strip += ([strip[-1], side[0]] if strip else []) + side
        indices = strip
    if o["mode"] == 6:
        indices = [1, 5, 4, 0, 3, 2, 6]
    if o["indexed"]:
        primitive["indices"] = w.add([[i] for i in indices], o["index"])
    count = len(joints)
    nodes = [{"translation": [0, y - (joints[i - 1] if i else 0), 0], "name": o["names"](i)}
             for i, y in enumerate(joints)]
    for i in range(count - 1):
        nodes[i]["children"] = [i + 1]
    nodes.append({"mesh": 0, "skin": 0, "name": o["names"](count)})
    skin = {"joints": list(range(count))}
    binds = [translation(0, -y, 0) for y in joints]
    binds = [[c / scale if i % 4 < 3 and i < 12 else c for i, c in enumerate(b)] for b in binds]
    if o["ibm"] == "last-row-0":
        binds = [[0 if i % 4 == 3 else c for i, c in enumerate(b)] for b in binds]
    if o["ibm"] is not None:
        skin["inverseBindMatrices"] = w.add(binds)
    f, d, tau = o["first_key"], o["key_length"], o["interpolation"]
    times = w.add([[f], [f + 0.7 * d], [f + 2.0 * d]])

    def output(values, tangents, kind=FLOAT, normalized=False):
        if tau == "CUBICSPLINE":
            values = [x for v, (a, b) in zip(values, tangents) for x in (a, v, b)]
        return w.add(values, kind, normalized)

    turn = [axis_angle((0, 0, 1), 0.2), axis_angle((0, 0, 1), 1.3), axis_angle((0.6, 0, 0.8), -0.9)]
    turns = [([0.1, 0, 0, 0], [0.3, -0.2, 0.5, 0.1]), ([0, 0.4, 0.2, -0.3], [-0.6, 0, 0.3, 0.2]), ([0.2, 0, 1, 0], [0] * 4)]
    if "rotation_length" in o:
        turn = [[c * o["rotation_length"] for c in q] for q in turn]
    move = [[0, 0, 0], [0.3, 0.1, -0.2], [-0.1, 0.4, 0.2]]
    moves = [([0] * 3, [1, 0, -1]), ([0.5, -2, 0], [0, 1, 1]), ([-1, 1, 0], [0] * 3)]
    grow = o.get("grow", [[1, 1, 1], [1.4, 0.8, 1.1], [0.7, 1.2, 1.0]])
    samplers = [
        {"input": times, "interpolation": tau, "output": output(turn, turns, *o["rotation_kind"])},
        {"input": times, "interpolation": tau, "output": output(move, moves)},
        {"input": times, "interpolation": tau, "output": output(grow, moves)},
    ]
    channels = [{"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 0, "path": "translation"}},
                {"sampler": 2, "target": {"node": 2, "path": "scale"}}]
    w.json.update(nodes=nodes, skins=[skin], meshes=[{"name": "tube", "primitives": [primitive]}], scene=0,
                  scenes=[{"nodes": [0, count]}], animations=[{"name": "move", "samplers": samplers, "channels": channels}])
    if any(o[k][0] != FLOAT for k in ("position", "normal")):
        w.json["extensionsUsed"] = w.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    return w


def changed(change, **options):
    w = build(**options)
    change(w.json, w)
    return w


def two_skins(j, w):
    # A second chain of joints beside the first one, on which the same mesh is shown too.
    j["nodes"] += [{"translation": [1.5, 0, 0], "children": [5]}, {"translation": [0, 0.7, 0], "children": [6]},
                   {"translation": [0, 0.7, 0]}, {"mesh": 0, "skin": 1}]
    j["skins"].append({"joints": [4, 5, 6], "inverseBindMatrices": j["skins"][0]["inverseBindMatrices"]})
    j["scenes"][0]["nodes"] += [4, 7]
    j["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 5, "path": "rotation"}})


def skin_twice(j, w):
    j["meshes"].append({"primitives": [dict(j["meshes"][0]["primitives"][0])]})
    j["nodes"].append({"mesh": 1, "skin": 0, "translation": [9, 9, 9]})
    j["nodes"].append({"mesh": 0, "skin": 0, "translation": [5, 5, 5]})
    j["scenes"][0]["nodes"] += [4, 5]


def skinned_and_rigid(j, w):
    j["nodes"].append({"mesh": 0, "translation": [1, 0.5, 0], "rotation": axis_angle((1, 0, 0), 0.5)})
    j["nodes"][1]["children"] = [2, 4]


def second_scene(j, w):
    j["nodes"].append({"mesh": 0, "translation": [3, 0, 0]})
    j["scenes"] = [{"nodes": [4]}, {"nodes": [0, 3]}]
    j["scene"] = 1


def parent(j, **node):
    j["nodes"].append({"children": [0], **node})
    j["scenes"][0]["nodes"] = [3, len(j["nodes"]) - 1]


def rest_length(j, w):
    j["nodes"][1]["rotation"] = [1.5 * c for c in axis_angle((0, 1, 0), 0.7)]
    j["animations"][0]["channels"] = j["animations"][0]["channels"][1:]


def moving_mesh_node(j, w):
    j["nodes"][3].update(translation=[4, 4, 4], scale=[2, 2, 2])
    j["animations"][0]["channels"].append({"sampler": 1, "target": {"node": 3, "path": "translation"}})


def rigid_quantised(j, w):
    node = j["nodes"][3]
    node.pop("skin")
    node.update(scale=[2.5] * 3, translation=[0, 1, 0])
    j["nodes"][1]["children"] = [2, 3]
    j["scenes"][0]["nodes"] = [0]


def sheared(j, w):
    node = j["nodes"][3]
    node.pop("skin")
    node["matrix"] = [1, 0.2, 0, 0, 0.5, 1, 0, 0, 0, 0.3, 1, 0, 0.1, 0.2, 0.3, 1]
    j["nodes"][1]["children"] = [2, 3]
    j["scenes"][0]["nodes"] = [0]


def morphs(offset=(FLOAT, False), weight=(FLOAT, False), interpolation="LINEAR"):
    """Two targets, one of them sparse, whose weights the clip moves, and another clip alone."""
    def change(j, w):
        p = j["meshes"][0]["primitives"][0]
        count = j["accessors"][p["attributes"]["POSITION"]]["count"]
        largest = 1 if offset[1] else 20 if offset[0] != FLOAT else 0.3
        side = [[largest * (i % 2), 0, 0.3 * largest] for i in range(count)]
        up = [[0, 0.6 * largest * (i % 5) / 4, 0] for i in range(count)]
        p["targets"] = [{"POSITION": w.add(side, *offset)},
                        {"POSITION": w.add(up, *offset, sparse=False), "NORMAL": w.add([[0.0, 0.1, 0.0]] * count)}]
        j["meshes"][0]["weights"] = [0.25, 0.5]
        j["meshes"][0]["extras"] = {"targetNames": ["side", "up"]}
        times = j["animations"][0]["samplers"][0]["input"]
        keys = [[0.0, 1.0], [0.8, 0.2], [1.0, 0.0]]
        if interpolation == "CUBICSPLINE":
            slopes = [([0.0, 0.0], [1.0, -1.0]), ([0.5, 0.0], [0.0, 2.0]), ([0.0, -1.0], [0.0, 0.0])]
            keys = [k for key, (before, after) in zip(keys, slopes) for k in (before, key, after)]
        sampler = {"input": times, "interpolation": interpolation,
                   "output": w.add([[k] for key in keys for k in key], *weight)}
        target = {"node": 3, "path": "weights"}
        first = j["animations"][0]
        first["samplers"].append(sampler)
        first["channels"].append({"sampler": len(first["samplers"]) - 1, "target": target})
        j["animations"].append({"name": "morph", "samplers": [sampler], "channels": [{"sampler": 0, "target": target}]})
    return change


def still_morphs(j, w):
    # The mesh's weights, another node's own ones, and two primitives of one mesh.
    morphs()(j, w)
    j["animations"] = j["animations"][:1]
    j["animations"][0]["channels"].pop()
    j["meshes"][0]["primitives"].append(dict(j["meshes"][0]["primitives"][0]))
    j["nodes"].append({"mesh": 0, "weights": [-0.5, 2.0], "translation": [1, 0.5, 0]})
    j["nodes"][1]["children"] = [2, 4]


def no_scenes(j, w):
    del j["scenes"], j["scene"]


def joints_elsewhere(j, w):
    j["scenes"][0]["nodes"] = [3]


def three_primitives(j, w):
    p = j["meshes"][0]["primitives"][0]
    j["meshes"][0]["primitives"] = [p, dict(p), {"attributes": p["attributes"], "mode": 0}]


def cases():
    """Name of the file and what is in it."""
    yield "plain.gltf", build()
    yield "plain.glb", build()
    yield "character.vrm", build()
    for name, kind in (("u8", UBYTE), ("u16", USHORT)):
        yield f"weights-{name}.glb", build(weight=(kind, True))
    for name, kind in (("i8", BYTE), ("i16", SHORT)):
        yield f"rotations-{name}.glb", build(rotation_kind=(kind, True))
        yield f"rotations-cubic-{name}.glb", build(rotation_kind=(kind, True), interpolation="CUBICSPLINE")
        yield f"positions-{name}.glb", build(position=(kind, False), normal=(BYTE, True), texcoord=(USHORT, True))
        yield f"positions-{name}-normalised.glb", build(position=(kind, True), normal=(SHORT, True), weight=(UBYTE, True))
        yield f"rigid-{name}-normalised.glb", changed(rigid_quantised, position=(kind, True))
    yield "sparse.glb", build(sparse=True)
    yield "sparse-alone.glb", build(sparse=False)
    yield "strided.glb", build(stride=20)
    yield "step.glb", build(interpolation="STEP")
    yield "cubic.glb", build(interpolation="CUBICSPLINE")
    yield "late-keys.glb", build(first_key=0.8, key_length=0.6)
    yield "late-keys-step.glb", build(first_key=0.8, key_length=0.6, interpolation="STEP")
    yield "no-inverse-bind-matrices.glb", build(ibm=None)
    yield "last-row-0.glb", build(ibm="last-row-0")
    yield "equal-names.glb", build(names=lambda i: "Bone")
    yield "no-names.glb", build(names=lambda i: "")
    yield "mesh-named-as-joint.glb", build(names=lambda i: ["a", "arm", "hand", "arm"][i])
    yield "space in name.gltf", build()
    yield "two-skins.glb", changed(two_skins)
    yield "skin-twice.glb", changed(skin_twice)
    yield "skinned-and-rigid.glb", changed(skinned_and_rigid)
    yield "second-scene.glb", changed(second_scene)
    yield "no-scenes.glb", changed(no_scenes)
    yield "joints-outside-scene.glb", changed(joints_elsewhere)
    yield "no-indices.glb", build(indexed=False)
    yield "indices-u8.glb", build(index=UBYTE)
    yield "indices-u32.glb", build(index=UINT)
    yield "strip.glb", build(mode=5)
    yield "fan.glb", build(mode=6)
    yield "primitives.glb", changed(three_primitives)
    yield "mirrored.glb", changed(lambda j, w: parent(j, scale=[-1, 1, 1], translation=[0, 0.5, 0]))
    yield "matrix.glb", changed(lambda j, w: parent(j, matrix=[0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 1, 2, 3, 1]))
    yield "z-up.glb", changed(lambda j, w: parent(j, rotation=axis_angle((1, 0, 0), -math.pi / 2), scale=[0.01] * 3))
    yield "rest-rotation-1.5.glb", changed(rest_length)
    yield "rotation-keys-1.5.glb", build(rotation_length=1.5)
    yield "moving-mesh-node.glb", changed(moving_mesh_node)
    yield "sheared.glb", changed(sheared)
    yield "influences-12.glb", build(joints=[0.15 * i for i in range(12)])
    yield "influences-10-u8.glb", build(joints=[0.15 * i for i in range(10)], weight=(UBYTE, True))
    yield "scale-0.glb", build(grow=[[1, 1, 1], [0, 0, 0], [0, 0, 0]])
    yield "morphs.glb", changed(still_morphs)
    for word in ("LINEAR", "STEP", "CUBICSPLINE"):
        yield f"morphs-{word.lower()}.glb", changed(morphs(interpolation=word))
    for name, small, large in (("8", BYTE, UBYTE), ("16", SHORT, USHORT)):
        yield f"morphs-i{name}.glb", changed(morphs(offset=(small, False)), position=(small, False))
        yield f"morphs-i{name}-normalised.glb", changed(morphs(offset=(small, True), weight=(large, True)),
                                                        position=(small, True))


def write_cases(folder):
    out = []
    for name, writer in cases():
        path = Path(folder) / name
        writer.save(path, uri="its%20buffer.bin" if "space" in name else None)
        out.append(path)
    return out


if __name__ == "__main__":
    for made in write_cases(sys.argv[1]):
        print(made)
