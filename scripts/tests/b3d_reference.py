"""Posed vertices of a Blitz3D model, computed from the file independently of sinew.

By the description of the format (b3dfile_specs.txt of Blitz3D). Its space is left-handed: z changes its sign here. Python's
standard library, in doubles.
"""
import struct

from fbx_reference import IDENTITY, apply, inverse, times
from iqm_reference import local, mix


class Node:
    def __init__(self, parent, place):
        self.parent, self.place, self.keys, self.weights = parent, place, {}, {}


class B3d:
    def __init__(self, path):
        self.data = path.read_bytes()
        self.nodes, self.meshes = [], []  # (node, points, used)
        self.seconds = 0.0
        assert self.data[:4] == b"BB3D"
        self.chunks(12, len(self.data), None)

    def chunks(self, at, end, node):
        while at + 8 <= end:
            tag, size = self.data[at:at + 4], struct.unpack_from("<I", self.data, at + 4)[0]
            start, stop = at + 8, at + 8 + size
            if tag == b"NODE":
                name = self.data.index(b"\0", start)
                p = struct.unpack_from("<10f", self.data, name + 1)
                child = Node(node, list(p[:3]) + [p[7], p[8], p[9], -p[6]] + list(p[3:6]))
                self.nodes.append(child)
                self.chunks(name + 41, stop, child)
            elif tag == b"MESH":
                self.meshes.append((node, [], set()))
                self.chunks(start + 4, stop, node)
            elif tag == b"VRTS":
                flags, sets, each = struct.unpack_from("<3i", self.data, start)
                step = 4 * (3 + (3 if flags & 1 else 0) + (4 if flags & 2 else 0) + sets * each)
                self.meshes[-1][1].extend(struct.unpack_from("<3f", self.data, i) for i in range(start + 12, stop, step))
            elif tag == b"TRIS":
                self.meshes[-1][2].update(struct.unpack_from(f"<{(size - 4) // 4}i", self.data, start + 4))
            elif tag == b"BONE":
                for i in range(start, stop, 8):
                    vertex, weight = struct.unpack_from("<if", self.data, i)
                    node.weights[vertex] = node.weights.get(vertex, 0.0) + weight
            elif tag == b"ANIM":
                _, frames, rate = struct.unpack_from("<iif", self.data, start)
                self.rate = rate if rate > 0 else 60.0
                self.seconds = frames / self.rate
            elif tag == b"KEYS":
                self.read_keys(start, stop, node)
            at = stop

    def read_keys(self, at, stop, node):
        flags = struct.unpack_from("<i", self.data, at)[0]
        at += 4
        while at < stop:
            frame = struct.unpack_from("<i", self.data, at)[0]
            at += 4
            for bit, count in ((1, 3), (2, 3), (4, 4)):
                if flags & bit:
                    values = list(struct.unpack_from(f"<{count}f", self.data, at))
                    at += 4 * count
                    if bit == 4:
                        values = values[1:] + [-values[0]]  # it turns the other way
                    node.keys.setdefault(bit, []).append((frame, values))

    def moved(self, node, time):
        """Position, rotation and scale: of the keys that there are, else as the node has them."""
        out = list(node.place)
        for bit, part in ((1, slice(0, 3)), (4, slice(3, 7)), (2, slice(7, 10))):
            keys = sorted(node.keys.get(bit, []))
            if not keys:
                continue
            at = time * self.rate
            after = next((i for i, key in enumerate(keys) if key[0] > at), len(keys))
            (low, a), (high, b) = keys[max(after - 1, 0)], keys[min(after, len(keys) - 1)]
            t = (at - low) / (high - low) if high > low else 0.0
            one, other = list(node.place), list(node.place)
            one[part], other[part] = a, b
            out[part] = mix(one, other, t)[part]
        return out

    def placed(self, node, clip, time):
        matrix = IDENTITY
        while node is not None:
            matrix = times(local(self.moved(node, time) if clip is not None else node.place), matrix)
            node = node.parent
        return matrix

    def posed(self, clip, time):
        out = []
        for mesh, points, used in self.meshes:
            bones = [n for n in self.nodes if n.weights]
            still = self.placed(mesh, None, 0.0)
            matrices = [times(self.placed(n, clip, time), times(inverse(self.placed(n, None, 0.0)), still)) for n in bones]
            world = self.placed(mesh, clip, time)
            for v in used:
                total = sum(n.weights.get(v, 0.0) for n in bones)
                p = [0.0, 0.0, 0.0]
                for n, matrix in zip(bones, matrices):
                    if n.weights.get(v, 0.0) > 0.0:
                        p = [s + n.weights[v] / total * x for s, x in zip(p, apply(matrix, points[v]))]
                if total == 0.0:
                    p = apply(world, points[v])
                out.append((p[0], p[1], -p[2]))
        return out
