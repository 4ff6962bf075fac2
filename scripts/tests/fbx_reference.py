"""Posed control points of an FBX 7 file, computed from the file independently of sinew.

Reads binary and ASCII files with one animation layer: objects, connections, nodes (as "Computing
transformation matrices" in the FBX SDK's manual has it), curves (constant, linear, cubic), skins and
geometric transforms. Python's standard library, in doubles.
"""
import math
import re
import struct
import zlib
from pathlib import Path

TICKS = 46186158000
TOKEN = re.compile(r';[^\n]*|"([^"]*)"|([{},])|([A-Za-z0-9_|]+[\w -]*:)|([^\s{},":;]+)')
CODES = {"Y": "<h", "C": "<B", "B": "<B", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
IDENTITY = [[float(r == c) for c in range(4)] for r in range(4)]


class Element:
    def __init__(self, name):
        self.name, self.values, self.children = name, [], []

    def child(self, name):
        return next((c for c in self.children if c.name == name), None)

    def numbers(self, name):
        child = self.child(name)
        if child is None:
            return []
        inner = child.child("a")
        if inner is not None:
            return [float(v) for v in inner.values]
        return [float(v) for v in child.values[0]]


def read_binary(data):
    version = struct.unpack_from("<I", data, 23)[0]
    head = "<QQQB" if version >= 7500 else "<IIIB"

    def value(at):
        kind = chr(data[at])
        at += 1
        if kind in CODES:
            return struct.unpack_from(CODES[kind], data, at)[0], at + struct.calcsize(CODES[kind])
        if kind in "SR":
            length = struct.unpack_from("<I", data, at)[0]
            return data[at + 4:at + 4 + length].decode("utf-8", "replace"), at + 4 + length
        count, packed, length = struct.unpack_from("<III", data, at)
        raw = data[at + 12:at + 12 + length]
        raw = zlib.decompress(raw) if packed else raw
        return struct.unpack(f"<{count}{kind.replace('l', 'q').replace('b', 'B').replace('c', 'B')}", raw), at + 12 + length

    def element(at):
        end, count, _, name_length = struct.unpack_from(head, data, at)
        at += struct.calcsize(head)
        if end == 0:
            return None, at
        out = Element(data[at:at + name_length].decode())
        at += name_length
        for _ in range(count):
            read, at = value(at)
            out.values.append(read)
        while at < end:
            child, at = element(at)
            if child is None:
                break
            out.children.append(child)
        return out, end

    root, at = Element(""), 27
    while True:
        child, at = element(at)
        if child is None:
            return root
        root.children.append(child)


def read_ascii(text):
    root = Element("")
    stack = [root]
    current = None
    for match in TOKEN.finditer(text):
        quoted, mark, name, word = match.groups()
        if mark == "{":
            stack.append(current)
        elif mark == "}":
            stack.pop()
        elif name is not None:
            current = Element(name[:-1])
            stack[-1].children.append(current)
        elif quoted is not None or word is not None:
            if word is not None and not word.startswith("*") and re.match(r"[-+.\d]", word):
                current.values.append(float(word) if re.search(r"[.eE]", word) else int(word))
            else:
                current.values.append(quoted if quoted is not None else word)
    return root


def times(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def product(*matrices):
    out = IDENTITY
    for m in matrices:
        out = times(out, m)
    return out


def apply(m, p):
    return tuple(m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3] for r in range(3))


def translation(t, sign=1.0):
    return [[1.0, 0, 0, sign * t[0]], [0, 1.0, 0, sign * t[1]], [0, 0, 1.0, sign * t[2]], [0, 0, 0, 1.0]]


def scaling(s):
    return [[s[0], 0, 0, 0], [0, s[1], 0, 0], [0, 0, s[2], 0], [0, 0, 0, 1.0]]


def about(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    m = [row[:] for row in IDENTITY]
    m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
    return m


def rotation(degrees, order=0):
    a, b, c = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"][order]
    return product(*(about("XYZ".index(axis), degrees["XYZ".index(axis)]) for axis in (c, b, a)))


def transposed(m):
    return [[m[c][r] for c in range(4)] for r in range(4)]


def inverse(m):
    n = [row[:] + unit[:] for row, unit in zip(m, IDENTITY)]
    for i in range(4):
        pivot = max(range(i, 4), key=lambda r: abs(n[r][i]))
        n[i], n[pivot] = n[pivot], n[i]
        n[i] = [x / n[i][i] for x in n[i]]
        for r in range(4):
            if r != i:
                n[r] = [x - n[r][i] * y for x, y in zip(n[r], n[i])]
    return [row[4:] for row in n]


def linear_part(m):
    return [row[:3] + [0.0] for row in m[:3]] + [[0, 0, 0, 1.0]]


class Curve:
    def __init__(self, element):
        self.times = [t / TICKS for t in element.numbers("KeyTime")]
        self.values = element.numbers("KeyValueFloat")
        flags, data = element.numbers("KeyAttrFlags"), element.child("KeyAttrDataFloat")
        data = [self.as_float(x) for x in (data.child("a").values if data.child("a") else data.values[0])]
        self.flags, self.data = [], []
        for i, count in enumerate(element.numbers("KeyAttrRefCount")):
            self.flags += [int(flags[i])] * int(count)
            self.data += [data[4 * i:4 * i + 4]] * int(count)

    @staticmethod
    def as_float(x):
        return struct.unpack("<f", struct.pack("<i", x))[0] if isinstance(x, int) else x

    def slope(self, a, b):
        return (self.values[b] - self.values[a]) / (self.times[b] - self.times[a])

    def weight(self, key, left):
        """Of the handle on the right of a key, or on the left of the next one."""
        if not self.flags[key] & (0x2000000 if left else 0x1000000):
            return 1 / 3
        bits = struct.unpack("<I", struct.pack("<f", self.data[key][2]))[0]
        return (bits >> 16 if left else bits & 0xffff) / 9999

    def slope_at(self, key, left):
        if self.flags[key] & 0x400 or not self.flags[key] & 0x108 == 0x108:
            return self.data[key - 1][1] if left else self.data[key][0]
        if key in (0, len(self.times) - 1):
            return 0.0
        slope = self.slope(key - 1, key + 1)
        if self.flags[key] & 0x4000:
            before = self.slope(key - 1, key) / self.weight(key - 1, True)
            after = self.slope(key, key + 1) / self.weight(key, False)
            if before * slope <= 0 or after * slope <= 0:
                return 0.0
            slope = math.copysign(min(abs(slope), abs(before), abs(after)), slope)
        return slope

    def at(self, time):
        if time <= self.times[0]:
            return self.values[0]
        if time >= self.times[-1]:
            return self.values[-1]
        i = max(k for k in range(len(self.times)) if self.times[k] <= time)
        a, b = self.values[i], self.values[i + 1]
        length = self.times[i + 1] - self.times[i]
        x = (time - self.times[i]) / length
        if self.flags[i] & 0x2:
            return b if self.flags[i] & 0x100 else a
        if self.flags[i] & 0x4:
            return a + x * (b - a)
        p, q = self.weight(i, False), self.weight(i, True)
        low, high = 0.0, 1.0
        for _ in range(60):
            t = (low + high) / 2
            if 3 * (1 - t) ** 2 * t * p + 3 * (1 - t) * t * t * (1 - q) + t ** 3 < x:
                low = t
            else:
                high = t
        right, left = self.slope_at(i, False), self.slope_at(i + 1, True)
        return ((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * (a + right * p * length) +
                3 * (1 - t) * t * t * (b - left * q * length) + t ** 3 * b)


class Fbx:
    def __init__(self, path):
        data = Path(path).read_bytes()
        self.root = read_binary(data) if data.startswith(b"Kaydara") else read_ascii(data.decode("utf-8", "replace"))
        self.objects = {o.values[0]: o for o in self.root.child("Objects").children if o.values}
        self.below, self.above = {}, {}
        for c in self.root.child("Connections").children:
            kind, child, parent = c.values[:3]
            label = c.values[3] if kind == "OP" else ""
            self.below.setdefault(parent, []).append((child, label))
            self.above.setdefault(child, []).append((parent, label))
        self.templates = {}
        for t in self.root.child("Definitions").children:
            if t.child("PropertyTemplate"):
                self.templates[t.values[0]] = self.table(t.child("PropertyTemplate"))
        self.stacks = [i for i, o in self.objects.items() if o.name == "AnimationStack"]
        self.caches = {}

    @staticmethod
    def table(element):
        properties = element.child("Properties70")
        return {p.values[0]: p.values[4:] for p in properties.children} if properties else {}

    def property(self, index, name, default):
        key = (index, name)
        if key not in self.caches:
            o = self.objects[index]
            value = self.table(o).get(name) or self.templates.get(o.name, {}).get(name) or default
            self.caches[key] = [float(v) for v in value]
        return self.caches[key]

    def children(self, index, name, kind=None):
        return [i for i, _ in self.below.get(index, []) if i in self.objects and self.objects[i].name == name and
                (kind is None or self.objects[i].values[2] == kind)]

    def curves(self, stack):
        """Curves by object, property and axis, with what holds where there is none."""
        out = {}
        layers = self.children(stack, "AnimationLayer")
        assert len(layers) == 1, "one layer alone is read"
        for node in self.children(layers[0], "AnimationCurveNode"):
            defaults = self.table(self.objects[node])
            parts = [(None, defaults.get("d|" + axis)) for axis in "XYZ"]
            for curve, label in self.below.get(node, []):
                if label in ("d|X", "d|Y", "d|Z"):
                    parts["XYZ".index(label[2])] = (Curve(self.objects[curve]), None)
            for owner, label in self.above.get(node, []):
                if label:
                    out[owner, label] = parts
        return out

    def start(self, stack):
        return self.property(stack, "LocalStart", [0])[0] / TICKS

    def moved(self, moving, time, index, name, default):
        value = self.property(index, name, default)[:]
        for i, (curve, constant) in enumerate(moving.get((index, name), [])):
            if curve is not None:
                value[i] = curve.at(time)
            elif constant:
                value[i] = float(constant[0])
        return value

    def parent(self, index):
        return next((p for p, label in self.above.get(index, []) if not label and p in self.objects and
                     self.objects[p].name == "Model"), None)

    def place(self, moving, time, index, known):
        """World matrix, and its rotation alone, as in the manual's sample."""
        if index in known:
            return known[index]

        def vector(name, default=0.0):
            return self.moved(moving, time, index, name, [default] * 3)

        active = self.property(index, "RotationActive", [0])[0] != 0
        order = int(self.property(index, "RotationOrder", [0])[0]) if active else 0
        turn = rotation(vector("Lcl Rotation"), order)
        if active:
            turn = product(rotation(vector("PreRotation")), turn, transposed(rotation(vector("PostRotation"))))
        scale = scaling(vector("Lcl Scaling", 1.0))
        pivot, scaling_pivot = vector("RotationPivot"), vector("ScalingPivot")
        local = product(translation(vector("Lcl Translation")), translation(vector("RotationOffset")), translation(pivot), turn,
                        translation(pivot, -1), translation(vector("ScalingOffset")), translation(scaling_pivot), scale,
                        translation(scaling_pivot, -1))
        parent = self.parent(index)
        world, turned, own = self.place(moving, time, parent, known) if parent is not None else (IDENTITY, IDENTITY, IDENTITY)
        stretch = times(transposed(turned), linear_part(world))
        kind = int(self.property(index, "InheritType", [0])[0])
        if kind == 0:
            linear = product(turned, turn, stretch, scale)
        elif kind == 1:
            linear = product(turned, stretch, turn, scale)
        else:
            linear = product(turned, turn, stretch, inverse(own), scale)
        at = apply(world, [local[r][3] for r in range(3)])
        known[index] = (times(translation(at), linear), times(turned, turn), scale)
        return known[index]

    def posed(self, stack, time):
        """World positions of the control points that polygons use, of all meshes. time: from the stack's start."""
        moving = self.curves(stack) if stack is not None else {}
        time += self.start(stack) if stack is not None else 0.0
        known, out = {}, []
        for model, o in self.objects.items():
            if o.name == "Model" and self.property(model, "Visibility", [1])[0]:
                for mesh in self.children(model, "Geometry", "Mesh"):
                    out += self.posed_mesh(moving, time, model, mesh, known)
        return out

    def posed_mesh(self, moving, time, model, mesh, known):
        numbers = self.objects[mesh].numbers("Vertices")
        used = {int(i) if i >= 0 else -int(i) - 1 for i in self.objects[mesh].numbers("PolygonVertexIndex")}

        def vector(name, default):
            return self.property(model, name, [default] * 3)

        geometric = product(translation(vector("GeometricTranslation", 0.0)), rotation(vector("GeometricRotation", 0.0)),
                            scaling(vector("GeometricScaling", 1.0)))
        points = {i: apply(geometric, numbers[3 * i:3 * i + 3]) for i in used}
        sums = {i: [0.0, 0.0, 0.0, 0.0] for i in used}
        completed = set()  # points whose weights leave the rest to the mesh's own node
        for skin in self.children(mesh, "Deformer", "Skin"):
            mode = None
            for cluster in self.children(skin, "Deformer", "Cluster"):
                element = self.objects[cluster]
                bones = self.children(cluster, "Model")
                if not bones or not element.numbers("Indexes"):
                    continue
                modes = element.child("Mode")
                mode = mode or (modes.values[0] if modes else "Normalize")
                flat = element.numbers("Transform")
                bind = [[flat[4 * c + r] for c in range(4)] for r in range(4)]
                matrix = times(self.place(moving, time, bones[0], known)[0], bind)
                for i, weight in zip(element.numbers("Indexes"), element.numbers("Weights")):
                    if int(i) in used:
                        p = apply(matrix, points[int(i)])
                        sums[int(i)] = [s + weight * x for s, x in zip(sums[int(i)], (*p, 1.0))]
                        if mode in ("Total1", "Additive"):
                            completed.add(int(i))
        world = self.place(moving, time, model, known)[0]
        for i in completed:
            p = apply(world, points[i])
            sums[i] = [s + max(0.0, 1.0 - sums[i][3]) * x for s, x in zip(sums[i], (*p, 1.0))]
        return [tuple(x / s[3] for x in s[:3]) if s[3] > 0 else apply(world, points[i]) for i, s in sums.items()]


def size_of(points):
    return math.dist([min(p[i] for p in points) for i in range(3)], [max(p[i] for p in points) for i in range(3)])


def largest_gap(a, b):
    """How far the points of each list are from the nearest of the other, of their size; 1 where beyond a hundredth."""
    size = size_of(a)
    cell = 0.01 * size

    def one_sided(points, others):
        grid = {}
        for p in others:
            grid.setdefault(tuple(math.floor(x / cell) for x in p), []).append(p)
        largest = 0.0
        for p in points:
            x, y, z = (math.floor(v / cell) for v in p)
            near = [q for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) for q in grid.get((x + i, y + j, z + k), [])]
            largest = max(largest, min((math.dist(p, q) for q in near), default=size))
        return largest

    return max(one_sided(a, b), one_sided(b, a)) / size
