"""Posed vertices of an Inter-Quake Model, computed from the file independently of sinew.

By iqm.txt of the IQM development kit. Python's standard library, in doubles.
"""
import math
import struct

from fbx_reference import IDENTITY, apply, inverse, times

HEAD = ("version size flags textBytes text meshes meshesAt arrays vertices arraysAt triangles trianglesAt adjacency joints "
        "jointsAt poses posesAt anims animsAt frames channels framesAt").split()


def local(v):
    """Of translation, rotation (x, y, z, w) and scale."""
    x, y, z, w = unit(v[3:7])
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[t * s for t, s in zip(row, v[7:10])] + [p] for row, p in zip(turn, v[:3])] + [[0, 0, 0, 1.0]]


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def mix(a, b, t):
    p, q = unit(a[3:7]), unit(b[3:7])
    dot = sum(x * y for x, y in zip(p, q))
    if dot < 0:
        dot, q = -dot, [-x for x in q]
    angle = math.acos(min(1.0, dot))
    u, v = (1 - t, t) if angle < 1e-7 else (math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle))
    straight = [x + (y - x) * t for x, y in zip(a, b)]
    return straight[:3] + [u * x + v * y for x, y in zip(p, q)] + straight[7:]


class Iqm:
    def __init__(self, path):
        self.data = data = path.read_bytes()
        assert data[:15] == b"INTERQUAKEMODEL"
        head = dict(zip(HEAD, struct.unpack_from(f"<{len(HEAD)}I", data, 16)))
        self.head = head
        self.joints = [struct.unpack_from("<Ii10f", data, head["jointsAt"] + 48 * i) for i in range(head["joints"])]
        self.poses = [struct.unpack_from("<iI10f10f", data, head["posesAt"] + 88 * i) for i in range(head["poses"])]
        self.anims = [struct.unpack_from("<IIIfI", data, head["animsAt"] + 20 * i) for i in range(head["anims"])]
        arrays = {}
        for i in range(head["arrays"]):
            kind, _, form, size, at = struct.unpack_from("<5I", data, head["arraysAt"] + 20 * i)
            code = "bBhHiIefd"[form]
            flat = struct.unpack_from(f"<{size * head['vertices']}{code}", data, at)
            arrays[kind] = [flat[size * v:size * (v + 1)] for v in range(head["vertices"])]
        self.places, self.indices, self.weights = arrays[0], arrays.get(4), arrays.get(5)
        self.frames = [self.frame(i) for i in range(head["frames"])]

    def frame(self, index):
        out, at = [], self.head["framesAt"] + 2 * index * self.head["channels"]
        for _, mask, *numbers in self.poses:
            values = list(numbers[:10])
            for c in range(10):
                if mask >> c & 1:
                    values[c] += struct.unpack_from("<H", self.data, at)[0] * numbers[10 + c]
                    at += 2
            out.append(values)
        return out

    def locals_at(self, animation, seconds):
        if animation is None:
            return [j[2:] for j in self.joints]
        _, first, count, rate, flags = self.anims[animation]
        frames = self.frames[first:first + count] + ([self.frames[first]] if flags & 1 else [])
        place = min(max(seconds * rate, 0.0), len(frames) - 1)
        at = min(int(place), max(len(frames) - 2, 0))
        following = frames[min(at + 1, len(frames) - 1)]
        return [mix(a, b, place - at) for a, b in zip(frames[at], following)]

    def world(self, values):
        out = []
        for (_, parent, *_), v in zip(self.joints, values):
            out.append(times(out[parent], local(v)) if parent >= 0 else local(v))
        return out

    def posed(self, animation, seconds):
        moved = [times(now, inverse(bind)) for now, bind in
                 zip(self.world(self.locals_at(animation, seconds)), self.world(self.locals_at(None, 0)))]
        used = set(struct.unpack_from(f"<{3 * self.head['triangles']}I", self.data, self.head["trianglesAt"]))
        points = []
        for v in sorted(used):
            weights = [w for w in self.weights[v]] if self.weights else [1]
            bones = [moved[j] for j in self.indices[v]] if self.indices else [IDENTITY]
            total = sum(weights)
            places = [apply(m, self.places[v]) for m in bones]
            points.append(tuple(sum(w * p[c] for w, p in zip(weights, places)) / total for c in range(3)))
        return points
