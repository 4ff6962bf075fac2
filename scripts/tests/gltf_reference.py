"""Posed triangles of a glTF 2.0 file, computed by the specification alone and independently of sinew.

Reads uncompressed files: accessors (section 3.6), primitives and skins (3.7), nodes (3.5.2) and
animations (3.11, appendix C), morph targets (3.7.2.2), with KHR_mesh_quantization. Python's standard library, in doubles.
"""
import base64
import json
import math
import struct
import urllib.parse
from pathlib import Path

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
LARGEST = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
IDENTITY = [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]  # column by column


def multiply(a, b):
    return [sum(a[4 * k + r] * b[4 * c + k] for k in range(4)) for c in range(4) for r in range(4)]


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def matrix_of(t, q, s):
    x, y, z, w = unit(q)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    out = []
    for c in range(3):
        out += [rows[0][c] * s[c], rows[1][c] * s[c], rows[2][c] * s[c], 0.0]
    return out + [*t, 1.0]


def slerp(a, b, t):
    a, b = unit(a), unit(b)
    d = sum(x * y for x, y in zip(a, b))
    sign = -1.0 if d < 0 else 1.0
    angle = math.acos(min(abs(d), 1.0))
    if angle < 1e-9:
        return a
    p = math.sin((1 - t) * angle) / math.sin(angle)
    q = math.sin(t * angle) / math.sin(angle) * sign
    return [p * x + q * y for x, y in zip(a, b)]


class Gltf:
    def __init__(self, path):
        path = Path(path)
        data = path.read_bytes()
        chunk = None
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            text = data[20:20 + length]
            if len(data) > 20 + length:
                size = struct.unpack_from("<I", data, 20 + length)[0]
                chunk = data[28 + length:28 + length + size]
        else:
            text = data
        self.json = json.loads(text)
        self.buffers = []
        for buffer in self.json.get("buffers", []):
            uri = buffer.get("uri")
            if uri is None:
                self.buffers.append(chunk)
            elif uri.startswith("data:"):
                self.buffers.append(base64.b64decode(uri.split(",", 1)[1]))
            else:
                self.buffers.append((path.parent / urllib.parse.unquote(uri)).read_bytes())

    # Section 3.6.2

    def elements(self, view, offset, count, kind, components, normalized, tight=False):
        size = struct.calcsize(FORMATS[kind]) * components
        view = self.json["bufferViews"][view]
        stride = size if tight else view.get("byteStride", size)
        start = view.get("byteOffset", 0) + offset
        reader = struct.Struct("<%d%s" % (components, FORMATS[kind]))
        out = []
        for i in range(count):
            element = reader.unpack_from(self.buffers[view["buffer"]], start + i * stride)
            if normalized:
                element = [max(c / LARGEST[kind], -1.0) for c in element]
            out.append(list(element))
        return out

    def accessor(self, index):
        a = self.json["accessors"][index]
        components = COMPONENTS[a["type"]]
        kind, normalized = a["componentType"], a.get("normalized", False)
        if "bufferView" in a:
            out = self.elements(a["bufferView"], a.get("byteOffset", 0), a["count"], kind, components, normalized)
        else:
            out = [[0] * components for _ in range(a["count"])]
        if "sparse" in a:
            s = a["sparse"]
            where = self.elements(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"],
                                  s["indices"]["componentType"], 1, False, True)
            what = self.elements(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], kind,
                                 components, normalized, True)
            for (place,), value in zip(where, what):
                out[place] = value
        return out

    # Appendix C

    def sampled(self, sampler, rotation, time, scalars=0):
        times = [t[0] for t in self.accessor(sampler["input"])]
        values = self.accessor(sampler["output"])
        if scalars:
            values = [[v[0] for v in values[i:i + scalars]] for i in range(0, len(values), scalars)]
        kind = sampler.get("interpolation", "LINEAR")
        cubic = kind == "CUBICSPLINE"
        value = (lambda i: values[3 * i + 1]) if cubic else (lambda i: values[i])
        if time <= times[0]:
            return value(0)
        if time >= times[-1]:
            return value(len(times) - 1)
        k = max(i for i in range(len(times)) if times[i] <= time)
        if kind == "STEP":
            return value(k)
        span = times[k + 1] - times[k]
        t = (time - times[k]) / span
        if cubic:
            t2, t3 = t * t, t * t * t
            return [(2 * t3 - 3 * t2 + 1) * a + span * (t3 - 2 * t2 + t) * b + (-2 * t3 + 3 * t2) * c +
                    span * (t3 - t2) * d
                    for a, b, c, d in zip(value(k), values[3 * k + 2], value(k + 1), values[3 * k + 3])]
        if rotation:
            return slerp(value(k), value(k + 1), t)
        return [a + t * (b - a) for a, b in zip(value(k), value(k + 1))]

    def local(self, animation, time):
        nodes = []
        for n in self.json.get("nodes", []):
            nodes.append({
                "matrix": n.get("matrix"),
                "translation": n.get("translation", [0, 0, 0]),
                "rotation": n.get("rotation", [0, 0, 0, 1]),
                "scale": n.get("scale", [1, 1, 1]),
            })
        if animation is not None:
            for channel in animation["channels"]:
                target = channel["target"]
                path = target["path"]
                if "node" in target and path in ("translation", "rotation", "scale"):
                    nodes[target["node"]][path] = self.sampled(animation["samplers"][channel["sampler"]],
                                                               path == "rotation", time)
        return [n["matrix"] or matrix_of(n["translation"], n["rotation"], n["scale"]) for n in nodes]

    # The morph weights of the mesh that a node shows: the animated ones, else the node's, else the mesh's. A key holds the
    # weights of all targets; a cubic one the in-tangents of all, the weights, the out-tangents.
    def morph_weights(self, animation, node, time):
        mesh = self.json["meshes"][self.json["nodes"][node]["mesh"]]
        weights = self.json["nodes"][node].get("weights", mesh.get("weights", []))
        for channel in animation["channels"] if animation is not None else []:
            if channel["target"].get("node") == node and channel["target"]["path"] == "weights":
                count = len(mesh["primitives"][0]["targets"])
                weights = self.sampled(animation["samplers"][channel["sampler"]], False, time, count)
        return weights

    def roots(self):
        nodes = self.json.get("nodes", [])
        if "scenes" in self.json:
            return self.json["scenes"][self.json.get("scene", 0)].get("nodes", [])
        children = {c for n in nodes for c in n.get("children", [])}
        return [i for i in range(len(nodes)) if i not in children]

    # Depth first, as scenes list their nodes.
    def world(self, local):
        out, order = {}, []
        parents = {c: i for i, n in enumerate(self.json["nodes"]) for c in n.get("children", [])}

        def visit(node, above):
            out[node] = multiply(above, local[node])
            order.append(node)
            for child in self.json["nodes"][node].get("children", []):
                visit(child, out[node])

        for root in self.roots():
            visit(root, IDENTITY)
        shown = list(order)
        for i in range(len(local)):  # joints elsewhere
            if i not in out:
                chain = [i]
                while chain[-1] in parents:
                    chain.append(parents[chain[-1]])
                m = IDENTITY
                for n in reversed(chain):
                    m = multiply(m, local[n])
                out[i] = m
        return out, shown

    # Section 3.7.2

    def corners(self, primitive, count):
        mode = primitive.get("mode", 4)
        index = [i[0] for i in self.accessor(primitive["indices"])] if "indices" in primitive else list(range(count))
        if mode == 4:
            return [index[i:i + 3] for i in range(0, len(index) - 2, 3)]
        if mode == 5:
            return [[index[i], index[i + 1 + i % 2], index[i + 2 - i % 2]] for i in range(len(index) - 2)]
        if mode == 6:
            return [[index[i + 1], index[i + 2], index[0]] for i in range(len(index) - 2)]
        return []

    def positions(self, primitive, weights):
        out = self.accessor(primitive["attributes"]["POSITION"])
        for weight, target in zip(weights, primitive.get("targets", [])):
            if weight and "POSITION" in target:
                out = [[p + weight * d for p, d in zip(a, b)] for a, b in zip(out, self.accessor(target["POSITION"]))]
        return out

    # Section 3.7.3. Weights are normalised, as the section requires of files.
    def skinned(self, primitive, positions, skin, world):
        joints = skin["joints"]
        binds = self.accessor(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else [IDENTITY] * len(joints)
        matrices = []
        for joint, bind in zip(joints, binds):
            bind = [0.0 if i % 4 == 3 and i < 15 else 1.0 if i == 15 else x for i, x in enumerate(bind)]
            matrices.append(multiply(world[joint], bind))
        sets = []
        while "JOINTS_%d" % len(sets) in primitive["attributes"]:
            i = len(sets)
            sets.append((self.accessor(primitive["attributes"]["JOINTS_%d" % i]),
                         self.accessor(primitive["attributes"]["WEIGHTS_%d" % i])))
        out = []
        for v, (x, y, z) in enumerate(positions):
            p, total = [0.0, 0.0, 0.0], 0.0
            for js, ws in sets:
                for j, w in zip(js[v], ws[v]):
                    if w > 0:
                        m = matrices[j]
                        total += w
                        for r in range(3):
                            p[r] += w * (m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r])
            out.append([c / total for c in p])
        return out

    def posed(self, animation=None, time=0.0):
        """A list of triangles, each of three positions, in the order of scene, meshes and indices."""
        clip = self.json["animations"][animation] if animation is not None else None
        world, order = self.world(self.local(clip, time))
        out, done = [], set()
        for n in order:
            node = self.json["nodes"][n]
            if "mesh" not in node:
                continue
            mesh = self.json["meshes"][node["mesh"]]
            weights = self.morph_weights(clip, n, time)
            skin = node.get("skin")
            if skin is not None:  # the same skin puts the same mesh in the same place
                if (node["mesh"], skin) in done:
                    continue
                done.add((node["mesh"], skin))
            for primitive in mesh["primitives"]:
                positions = self.positions(primitive, weights)
                if skin is not None and "JOINTS_0" in primitive["attributes"]:
                    placed = self.skinned(primitive, positions, self.json["skins"][skin], world)
                else:
                    m = world[n]
                    placed = [[m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r] for r in range(3)]
                              for x, y, z in positions]
                out += [[placed[i] for i in corners] for corners in self.corners(primitive, len(positions))]
        return out


def size_of(triangles):
    low = [min(p[i] for t in triangles for p in t) for i in range(3)]
    high = [max(p[i] for t in triangles for p in t) for i in range(3)]
    return math.dist(low, high)


def is_thin(triangle, tolerance):
    return any(math.dist(triangle[i], triangle[i - 1]) <= tolerance for i in range(3))


def largest_difference(expected, actual):
    """Corner by corner, as a share of the size of the expected ones. Triangles with two equal corners, and
    those that repeat an earlier one, may be missing, and corners two and three be exchanged (a mesh that winds against its normals, or is
    mirrored). Infinite where the triangles are not the same ones."""
    size = size_of(expected) or 1.0
    largest, at, seen = 0.0, 0, set()
    for triangle in expected:
        a, b, c = (tuple(corner) for corner in triangle)
        turns = {(a, b, c), (b, c, a), (c, a, b)}
        repeats = not seen.isdisjoint(turns)
        seen.update(turns)
        best = math.inf
        if at < len(actual):
            a, b, c = actual[at]
            for other in ((a, b, c), (a, c, b)):
                best = min(best, max(math.dist(p, q) for p, q in zip(triangle, other)))
        if best > 1e-4 * size and (repeats or is_thin(triangle, 1e-6 * size)):
            continue
        if at >= len(actual):
            return math.inf
        largest = max(largest, best)
        at += 1
    return largest / size if at == len(actual) else math.inf
