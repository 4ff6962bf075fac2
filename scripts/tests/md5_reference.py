"""Posed vertices of an MD5 mesh with the animation beside it, computed from the text independently of sinew.

By the description of id Software's format (Henry 2005, MD5Mesh and MD5Anim file formats). Python's standard library, in doubles.
"""
import math
import re

from iqm_reference import mix


def rotated(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def multiplied(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def whole(x, y, z):
    return [x, y, z, -math.sqrt(max(0.0, 1.0 - x * x - y * y - z * z))]


def blocks(text):
    """Lists of lines, each a list of words, by the name before the brace; numbers without parentheses."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r"(\w+)[ \t]*\d*[ \t]*\{([^}]*)\}", text):
        yield match.group(1), [re.findall(r'"[^"]*"|[^\s()]+', line) for line in match.group(2).splitlines() if line.strip()]


class Md5:
    def __init__(self, path):
        self.joints, self.meshes = [], []
        for name, lines in blocks(path.read_text()):
            if name == "joints":
                for words in lines:
                    v = [float(w) for w in words[2:8]]
                    self.joints.append((words[0], int(words[1]), v[:3] + whole(*v[3:])))
            elif name == "mesh":
                self.meshes.append(lines)
        self.frames, self.rate = [], 24.0
        motion = path.with_suffix(".md5anim")
        if motion.exists():
            self.read_motion(motion.read_text())

    def read_motion(self, text):
        self.rate = float(re.search(r"frameRate\s+(\S+)", text).group(1))
        hierarchy, base, frames = [], [], []
        for name, lines in blocks(text):
            if name == "hierarchy":
                hierarchy = [(w[0], int(w[1]), int(w[2]), int(w[3])) for w in lines]
            elif name == "baseframe":
                base = [[float(x) for x in w] for w in lines]
            elif name == "frame":
                frames.append([float(x) for w in lines for x in w])
        for values in frames:
            pose = {}
            for (joint, _, flags, first), still in zip(hierarchy, base):
                v = list(still)
                for k in range(6):
                    if flags >> k & 1:
                        v[k], first = values[first], first + 1
                pose[joint] = v[:3] + whole(*v[3:])
            self.frames.append((hierarchy, pose))

    def placed(self, clip, time):
        """Of every joint of the mesh: position and rotation in the model."""
        if clip is None or not self.frames:
            return {name: place for name, _, place in self.joints}
        at = min(max(time * self.rate, 0.0), len(self.frames) - 1.0)
        low = min(int(at), len(self.frames) - 2) if len(self.frames) > 1 else 0
        hierarchy, a = self.frames[low]
        b = self.frames[min(low + 1, len(self.frames) - 1)][1]
        out, names = {}, [h[0] for h in hierarchy]
        for joint, parent, _, _ in hierarchy:
            local = mix(a[joint] + [1, 1, 1], b[joint] + [1, 1, 1], at - low)[:7]
            if parent >= 0:
                above = out[names[parent]]
                local = [p + q for p, q in zip(above[:3], rotated(above[3:7], local[:3]))] + multiplied(above[3:7], local[3:7])
            out[joint] = local
        return out

    def posed(self, clip, time):
        places = self.placed(clip, time)
        names = [name for name, _, _ in self.joints]
        out = []
        for lines in self.meshes:
            vertices = [w for w in lines if w[0] == "vert"]
            weights = {int(w[1]): (int(w[2]), float(w[3]), [float(x) for x in w[4:7]]) for w in lines if w[0] == "weight"}
            used = {int(i) for w in lines if w[0] == "tri" for i in w[2:5]}
            for words in vertices:
                if int(words[1]) not in used:
                    continue
                first, count = int(words[4]), int(words[5])
                sum_of = [0.0, 0.0, 0.0]
                total = sum(weights[i][1] for i in range(first, first + count))
                for i in range(first, first + count):
                    joint, weight, at = weights[i]
                    place = places[names[joint]]
                    sum_of = [s + weight / total * (p + q) for s, p, q in zip(sum_of, place[:3], rotated(place[3:7], at))]
                out.append((sum_of[0], sum_of[2], -sum_of[1]))  # up is z there
        return out
