#!/usr/bin/python3
"""Posed vertices of a file as Assimp reads it, evaluated from its nodes, keys, bones and shapes.

Usage: assimp_vertices.py FILE CLIP SECONDS [CLIP SECONDS ...]. A clip is a name or #NUMBER. --check instead of a file ends with 0 if
python3-pyassimp and python3-numpy are there. Prints a JSON array, per clip and time the positions
[x, y, z, ...] of all meshes in the scene. Keys are played as Assimp describes them: straight, rotations by slerp.
"""
import ctypes
import ctypes.util
import json
import sys

import numpy
from pyassimp import structs


class Bone(ctypes.Structure):
    """As Assimp has it since 5.0; pyassimp lacks the two pointers."""
    _fields_ = [("mName", structs.String), ("mNumWeights", ctypes.c_uint), ("mArmature", ctypes.c_void_p), ("mNode", ctypes.c_void_p),
                ("mWeights", ctypes.POINTER(structs.VertexWeight)), ("mOffsetMatrix", structs.Matrix4x4)]


def library():
    out = ctypes.CDLL(ctypes.util.find_library("assimp") or "libassimp.so.5")
    out.aiImportFile.restype = ctypes.POINTER(structs.Scene)
    out.aiGetErrorString.restype = ctypes.c_char_p
    return out


def text(string):
    return ctypes.string_at(ctypes.addressof(string) + structs.String.data.offset, string.length).decode("utf-8", "replace")


def matrix(m):
    return numpy.array([[getattr(m, row + str(column)) for column in (1, 2, 3, 4)] for row in "abcd"])


def vector(v):
    return numpy.array([v.x, v.y, v.z])


def quaternion(q):
    return numpy.array([q.w, q.x, q.y, q.z])


def array(vectors, count):
    return numpy.ctypeslib.as_array(ctypes.cast(vectors, ctypes.POINTER(ctypes.c_float)), (count, 3)).astype(float)


def slerp(a, b, t):
    cosine = a @ b
    if cosine < 0.0:
        b, cosine = -b, -cosine
    angle = numpy.arccos(min(1.0, cosine))
    if angle < 1e-6:
        out = a + (b - a) * t
    else:
        out = (numpy.sin((1.0 - t) * angle) * a + numpy.sin(t * angle) * b) / numpy.sin(angle)
    return out / numpy.linalg.norm(out)


def key_at(keys, count, time, read, mix):
    times = [keys[i].mTime for i in range(count)]
    after = sum(1 for each in times if each <= time)
    if after == 0:
        return read(keys[0].mValue)
    if after == count:
        return read(keys[count - 1].mValue)
    a, b = keys[after - 1], keys[after]
    return mix(read(a.mValue), read(b.mValue), (time - a.mTime) / (b.mTime - a.mTime))


def straight(a, b, t):
    return a + (b - a) * t


def composed(place, turn, scale):
    w, x, y, z = turn / numpy.linalg.norm(turn)
    out = numpy.eye(4)
    out[:3, :3] = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                               [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                               [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]) * scale
    out[:3, 3] = place
    return out


class Posed:
    def __init__(self, scene, clip, seconds):
        self.local, self.shapes, self.world, self.nodes = {}, {}, {}, []  # nodes may share a name
        for i in range(scene.mNumAnimations):
            animation = scene.mAnimations[i].contents
            if clip == f"#{i}" or text(animation.mName).split("|")[-1] == clip.split("|")[-1]:
                self.play(animation, seconds * (animation.mTicksPerSecond or 25.0))
        self.points = []
        self.visit(scene.mRootNode.contents, numpy.eye(4))
        for node, world in self.nodes:
            for i in range(node.mNumMeshes):
                self.add(scene.mMeshes[node.mMeshes[i]].contents, world)

    def play(self, animation, time):
        for i in range(animation.mNumChannels):
            channel = animation.mChannels[i].contents
            self.local[text(channel.mNodeName)] = composed(
                key_at(channel.mPositionKeys, channel.mNumPositionKeys, time, vector, straight),
                key_at(channel.mRotationKeys, channel.mNumRotationKeys, time, quaternion, slerp),
                key_at(channel.mScalingKeys, channel.mNumScalingKeys, time, vector, straight))
        for i in range(animation.mNumMorphMeshChannels):
            channel = animation.mMorphMeshChannels[i].contents
            keys = [channel.mKeys[k] for k in range(channel.mNumKeys)]
            times = [key.mTime for key in keys]
            weights = self.shapes.setdefault(text(channel.mName).split("*")[0], {})
            for target in {key.mValues[j] for key in keys for j in range(key.mNumValuesAndWeights)}:
                line = [next((key.mWeights[j] for j in range(key.mNumValuesAndWeights) if key.mValues[j] == target), 0.0) for key in keys]
                weights[target] = float(numpy.interp(time, times, line))

    def visit(self, node, parent):
        name = text(node.mName)
        world = parent @ self.local.get(name, matrix(node.mTransformation))
        self.world.setdefault(name, world)
        self.nodes.append((node, world))
        for i in range(node.mNumChildren):
            self.visit(node.mChildren[i].contents, world)

    def add(self, mesh, world):
        places = array(mesh.mVertices, mesh.mNumVertices)
        shapes = [mesh.mAnimMeshes[i].contents for i in range(mesh.mNumAnimMeshes)]
        weights = self.shapes.get(text(mesh.mName).split("*")[0], {})
        places = places + sum((weights.get(i, shape.mWeight) * (array(shape.mVertices, mesh.mNumVertices) - places)
                               for i, shape in enumerate(shapes)), 0.0)
        places = numpy.hstack([places, numpy.ones((len(places), 1))])
        if mesh.mNumBones == 0:
            self.points.append((places @ world.T)[:, :3])
            return
        out = numpy.zeros_like(places)
        for i in range(mesh.mNumBones):
            bone = ctypes.cast(mesh.mBones[i], ctypes.POINTER(Bone)).contents
            moved = self.world[text(bone.mName)] @ matrix(bone.mOffsetMatrix)
            for k in range(bone.mNumWeights):
                each = bone.mWeights[k]
                out[each.mVertexId] += each.mWeight * (moved @ places[each.mVertexId])
        self.points.append(out[:, :3] / out[:, 3:])


def main():
    if sys.argv[1] == "--check":
        library()
        return
    assimp = library()
    triangulate = 0x8
    scene = assimp.aiImportFile(sys.argv[1].encode(), triangulate)
    if not scene:
        sys.exit(assimp.aiGetErrorString().decode())
    out = []
    for clip, seconds in zip(sys.argv[2::2], sys.argv[3::2]):
        posed = Posed(scene.contents, clip, float(seconds))
        out.append([float(f"{x:.8g}") for x in numpy.concatenate(posed.points).ravel()])
    print(json.dumps(out))


if __name__ == "__main__":
    main()
