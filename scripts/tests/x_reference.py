"""Posed vertices of a DirectX .x file, computed from the file independently of sinew.

Text, binary and MSZIP files are read by their templates, as "Reference for X Files" (DirectX SDK)
defines them: what a template says comes next is what is read. Matrices stay as the file has them,
for row vectors and left-handed; only the finished points change the sign of Z. Python's standard
library, in doubles.
"""
import bisect
import math
import re
import struct
import zlib

from fbx_reference import IDENTITY, inverse, times

# Members: (name, type), (name, type, length) of an array; a length is a number or an earlier member.
TEMPLATES = {
    "Matrix4x4": [("matrix", "FLOAT", 16)],
    "Vector": [("x", "FLOAT"), ("y", "FLOAT"), ("z", "FLOAT")],
    "MeshFace": [("n", "DWORD"), ("corners", "DWORD", "n")],
    "FloatKeys": [("n", "DWORD"), ("values", "FLOAT", "n")],
    "TimedFloatKeys": [("time", "DWORD"), ("keys", "FloatKeys")],
    "Frame": [],
    "FrameTransformMatrix": [("matrix", "Matrix4x4")],
    "Mesh": [("n", "DWORD"), ("vertices", "Vector", "n"), ("nFaces", "DWORD"), ("faces", "MeshFace", "nFaces")],
    "SkinWeights": [("bone", "STRING"), ("n", "DWORD"), ("vertices", "DWORD", "n"), ("weights", "FLOAT", "n"),
                    ("offset", "Matrix4x4")],
    "AnimationSet": [],
    "Animation": [],
    "AnimationKey": [("type", "DWORD"), ("n", "DWORD"), ("keys", "TimedFloatKeys", "n")],
    "AnimTicksPerSecond": [("ticks", "DWORD")],
}
TOKEN = re.compile(rb'//[^\n]*|#[^\n]*|"([^"]*)"|<([^>]*)>|([{}])|[;,\s]+|([^\s;,{}"<]+)')
BRACES = {10: b"{", 11: b"}"}


def tokens_of_text(data):
    for match in TOKEN.finditer(data):
        quoted, uuid, brace, word = match.groups()
        if brace:
            yield "mark", brace
        elif word:
            yield "word", word.decode("latin-1")
        elif uuid is not None:
            yield "uuid", uuid
        elif quoted is not None:
            yield "text", quoted.decode("latin-1")


def tokens_of_binary(data, float_size):
    at = 0
    while at < len(data):
        code = struct.unpack_from("<H", data, at)[0]
        at += 2
        if code in (1, 2):
            length = struct.unpack_from("<I", data, at)[0]
            text = data[at + 4:at + 4 + length].decode("latin-1")
            at += 4 + length
            yield ("word" if code == 1 else "text"), text
        elif code == 3:
            yield "word", struct.unpack_from("<I", data, at)[0]
            at += 4
        elif code == 5:
            yield "uuid", data[at:at + 16]
            at += 16
        elif code in (6, 7):
            count = struct.unpack_from("<I", data, at)[0]
            kind = "I" if code == 6 else "f" if float_size == 32 else "d"
            numbers = struct.unpack_from(f"<{count}{kind}", data, at + 4)
            at += 4 + count * struct.calcsize(kind)
            for number in numbers:
                yield "word", number
        elif code in BRACES:
            yield "mark", BRACES[code]
        elif code == 31:
            yield "word", "template"


def unpacked(data):
    out = b""
    at = 4
    while at + 4 <= len(data):
        size, packed = struct.unpack_from("<HH", data, at)
        assert data[at + 4:at + 6] == b"CK"
        stream = zlib.decompressobj(-15, zdict=out[-32768:]) if out else zlib.decompressobj(-15)
        block = stream.decompress(data[at + 6:at + 4 + packed])
        assert len(block) == size
        out += block
        at += 4 + packed
    return out


class Object:
    def __init__(self, kind, name):
        self.kind, self.name, self.values, self.children, self.references, self.parent = kind, name, {}, [], [], None

    def inner(self, kind):
        return [c for c in self.children if c.kind.lower() == kind.lower()]


class X:
    def __init__(self, path):
        data = path.read_bytes()
        form, body = data[8:12], data[16:]
        if form in (b"tzip", b"bzip"):
            body = unpacked(body)
        tokens = tokens_of_text(body) if form in (b"txt ", b"tzip") else tokens_of_binary(body, int(data[12:16]))
        self.tokens = list(tokens)
        self.at = 0
        self.file = Object("", "")
        while self.at < len(self.tokens):
            self.read_object(self.file)
        self.objects = list(self.walk(self.file))
        self.sets = self.file.inner("AnimationSet")
        self.place_frames()

    # Reading.
    def skip_block(self):
        depth = 0
        while True:
            token = self.tokens[self.at]
            self.at += 1
            depth += {b"{": 1, b"}": -1}.get(token[1], 0) if token[0] == "mark" else 0
            if depth == 0 and token == ("mark", b"}"):
                return

    def read_object(self, parent):
        kind = self.tokens[self.at][1]
        if kind == "template":
            return self.skip_block()
        if self.tokens[self.at] == ("mark", b"{"):
            parent.references.append(self.tokens[self.at + 1][1])
            return self.skip_block()
        name = ""
        self.at += 1
        while self.tokens[self.at] != ("mark", b"{"):
            name += str(self.tokens[self.at][1])
            self.at += 1
        template = next((t for t in TEMPLATES if t.lower() == kind.lower()), None)
        if template is None:
            return self.skip_block()
        self.at += 1
        out = Object(template, name)
        out.parent = parent
        parent.children.append(out)
        if self.tokens[self.at][0] == "uuid":
            self.at += 1
        out.values = self.read_members(template)
        while self.tokens[self.at] != ("mark", b"}"):
            self.read_object(out)
        self.at += 1

    def read_members(self, template):
        values = {}
        for name, kind, *length in TEMPLATES[template]:
            if not length:
                values[name] = self.read_value(kind)
            else:
                count = length[0] if isinstance(length[0], int) else values[length[0]]
                values[name] = [self.read_value(kind) for _ in range(count)]
        return values

    def read_value(self, kind):
        if kind in TEMPLATES:
            return self.read_members(kind)
        token = self.tokens[self.at]
        assert token[0] == ("text" if kind == "STRING" else "word"), token
        self.at += 1
        return token[1] if kind == "STRING" else int(token[1]) if kind == "DWORD" else float(token[1])

    def walk(self, top):
        yield top
        for child in top.children:
            yield from self.walk(child)

    # Frames: (object, index of the parent, matrix) with parents first.
    def place_frames(self):
        self.shown_by = lambda name: next((each for each in self.objects if each.name == name
                                           and each.kind in ("Frame", "Mesh")), None)
        referred = {id(self.shown_by(name)) for frame in self.objects if frame.kind == "Frame"
                    for name in frame.references}
        self.frames, self.meshes = [], []

        def place(frame, above):
            own = frame.inner("FrameTransformMatrix")
            self.frames.append((frame, above, rows(own[0].values["matrix"]["matrix"]) if own else IDENTITY))
            index = len(self.frames) - 1
            for each in frame.children + [self.shown_by(name) for name in frame.references]:
                if each is not None and each.kind == "Mesh":
                    self.meshes.append((each, index))
                elif each is not None and each.kind == "Frame":
                    place(each, index)

        for each in self.file.children:
            if id(each) in referred:
                continue
            if each.kind == "Frame":
                place(each, -1)
            elif each.kind == "Mesh":
                self.meshes.append((each, -1))

    # Animation.
    def ticks(self, keys):
        stated = [each for each in self.objects if each.kind == "AnimTicksPerSecond"]
        if stated:
            return stated[0].values["ticks"]
        spans = [(k["keys"][-1]["time"] - k["keys"][0]["time"], len(k["keys"]) - 1) for k in keys
                 if k["type"] in (0, 3, 4) and len(k["keys"]) > 1]
        frames = spans and 0 < sum(s for s, _ in spans) < 5 * sum(n for _, n in spans)
        return 30.0 if frames else 4800.0

    def local_matrices(self, animation_set, seconds):
        matrices = {id(frame): matrix for frame, _, matrix in self.frames}
        if animation_set is None:
            return matrices
        animations = animation_set.inner("Animation")
        ticks = self.ticks([k.values for a in animations for k in a.inner("AnimationKey")])
        for animation in animations:
            for name in animation.references:
                frame = next((f for f, _, _ in self.frames if f.name == name), None)
                if frame is None:
                    continue
                scale, turn, place = decomposed(matrices[id(frame)])
                for key in (k.values for k in animation.inner("AnimationKey")):
                    moments = [k["time"] / ticks for k in key["keys"]]
                    values = [k["keys"]["values"] for k in key["keys"]]
                    if key["type"] == 0:
                        turn = between(moments, [unit(q) for q in values], seconds, slerp)
                    elif key["type"] == 1:
                        scale = between(moments, values, seconds, lerp)
                    elif key["type"] == 2:
                        place = between(moments, values, seconds, lerp)
                    else:
                        parts = [decomposed(rows(v)) for v in values]
                        scale = between(moments, [p[0] for p in parts], seconds, lerp)
                        turn = between(moments, [p[1] for p in parts], seconds, slerp)
                        place = between(moments, [p[2] for p in parts], seconds, lerp)
                matrices[id(frame)] = composed(scale, turn, place)
        return matrices

    def posed(self, animation_set, seconds):
        """Points in right-handed model space. What has no weights in a skinned mesh is left out."""
        local = self.local_matrices(animation_set, seconds)
        combined, at_rest = [], []
        for frame, above, matrix in self.frames:
            combined.append(times(local[id(frame)], combined[above] if above >= 0 else IDENTITY))
            at_rest.append(times(matrix, at_rest[above] if above >= 0 else IDENTITY))
        place_of = {}
        for (frame, _, _), matrix in zip(self.frames, combined):
            place_of.setdefault(frame.name, matrix)
        points = []
        for mesh, index in self.meshes:
            vertices = [(v["x"], v["y"], v["z"]) for v in mesh.values["vertices"]]
            used = {c for face in mesh.values["faces"] for c in face["corners"]}
            sums = [[] for _ in vertices]
            for bone in (b.values for b in mesh.inner("SkinWeights")):
                offset = rows(bone["offset"]["matrix"])
                if bone["bone"] in place_of:
                    matrix = times(offset, place_of[bone["bone"]])
                else:  # stands where its offset says, below the first frame
                    stands = times(inverse(offset), at_rest[index])
                    matrix = times(offset, times(times(stands, inverse(at_rest[0])), combined[0]))
                for vertex, weight in zip(bone["vertices"], bone["weights"]):
                    if weight > 0.0:
                        sums[vertex].append((matrix, weight))
            skinned = any(sums)
            own = combined[index] if index >= 0 else IDENTITY
            for i, (vertex, bones) in enumerate(zip(vertices, sums)):
                if i not in used or (skinned and not bones):
                    continue
                total = sum(weight for _, weight in bones)
                p = [0.0, 0.0, 0.0]
                for matrix, weight in bones or [(own, 1.0)]:
                    moved = row_times(vertex, matrix)
                    p = [a + weight / (total or 1.0) * b for a, b in zip(p, moved)]
                points.append((p[0], p[1], -p[2]))
        return points


def rows(numbers):
    return [list(numbers[4 * r:4 * r + 4]) for r in range(4)]


def row_times(p, m):
    return [p[0] * m[0][c] + p[1] * m[1][c] + p[2] * m[2][c] + m[3][c] for c in range(3)]


def between(moments, values, seconds, mix):
    at = bisect.bisect_right(moments, seconds)
    if at == 0:
        return values[0]
    if at == len(moments):
        return values[-1]
    part = (seconds - moments[at - 1]) / (moments[at] - moments[at - 1])
    return mix(values[at - 1], values[at], part)


def lerp(a, b, t):
    return [x + (y - x) * t for x, y in zip(a, b)]


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0.0:
        dot, b = -dot, [-x for x in b]
    angle = math.acos(min(1.0, dot))
    if angle < 1e-9:
        return unit(lerp(a, b, t))
    return [(math.sin((1 - t) * angle) * x + math.sin(t * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def row_matrix(q):
    """Of a quaternion as the file has it, w first: what turns column vectors by its textbook matrix
    turns the file's row vectors the other way, so the textbook's matrix is the file's."""
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def quaternion(m):
    """The inverse of row_matrix (Shepperd: by the largest of the four)."""
    squares = [1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
               1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]]
    i = max(range(4), key=lambda k: squares[k])
    r = math.sqrt(squares[i])
    sums = {(0, 1): m[2][1] - m[1][2], (0, 2): m[0][2] - m[2][0], (0, 3): m[1][0] - m[0][1],
            (1, 2): m[0][1] + m[1][0], (1, 3): m[0][2] + m[2][0], (2, 3): m[1][2] + m[2][1]}
    return unit([r / 2 if k == i else sums[min(i, k), max(i, k)] / (2 * r) for k in range(4)])


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def decomposed(m):
    """Scale, rotation and translation; a mirror is a negative scale of x."""
    scale = [math.sqrt(sum(x * x for x in row[:3])) for row in m[:3]]
    if determinant(m) < 0.0:
        scale[0] = -scale[0]
    return scale, quaternion([[x / s for x in row[:3]] for row, s in zip(m, scale)]), m[3][:3]


def composed(scale, turn, place):
    m = row_matrix(turn)
    return [[s * x for x in row] + [0.0] for s, row in zip(scale, m)] + [list(place) + [1.0]]
