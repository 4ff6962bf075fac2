#!/usr/bin/env python3
"""Velocity skinning (Rohmer et al. 2021) of the Fox against the authors' formulas, evaluated a second time.

Usage: velocity_test.py SINEW, by a Python that has numpy. The clip, the skin and the posed vertices are read by
gltf_reference.py; velocities, centroids, the four formulas and the affine map of each joint are computed here.
"""
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from gltf_reference import Gltf, IDENTITY

SINEW = ""
FOX = Path(__file__).resolve().parents[3] / "shared/models/fox/Fox.glb"
CLIP = 2  # Run
STEP = 1 / 240


def sinew(*words):
    run = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        raise AssertionError(f"{words}: exit code {run.returncode}\n{run.stderr}")


def corners(path):
    """The position of each corner of each triangle of a PLY as sinew writes it."""
    header, body = path.read_bytes().split(b"end_header\n", 1)
    count = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    points = np.array([struct.unpack_from("<3f", body, 32 * i) for i in range(count)])
    faces = np.frombuffer(body[32 * count:], np.dtype([("n", "u1"), ("v", "<i4", 3)]))
    return points[faces["v"]].reshape(-1, 3)


class Fox:
    """What the formulas need of the model: rest, corners, weights, and the hierarchy."""

    def __init__(self, path):
        self.gltf = Gltf(path)
        self.clip = self.gltf.json["animations"][CLIP]
        nodes = self.gltf.json["nodes"]
        self.parents = {c: i for i, n in enumerate(nodes) for c in n.get("children", [])}
        skin = self.gltf.json["skins"][0]
        self.joints = skin["joints"]
        self.binds = [np.array(m).reshape(4, 4).T for m in self.gltf.accessor(skin["inverseBindMatrices"])]
        primitive = self.gltf.json["meshes"][0]["primitives"][0]
        attributes = primitive["attributes"]
        positions = np.array(self.gltf.accessor(attributes["POSITION"]))
        order = np.array(self.gltf.corners(primitive, len(positions))).ravel()
        self.points = positions[order]
        of, weights = (np.array(self.gltf.accessor(attributes[n]))[order] for n in ("JOINTS_0", "WEIGHTS_0"))
        self.weights = np.zeros((len(order), len(self.joints)))
        for k in range(4):
            np.add.at(self.weights, (np.arange(len(order)), of[:, k]), weights[:, k])
        self.weights /= self.weights.sum(1, keepdims=True)
        triangles = self.points.reshape(-1, 3, 3)
        sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        self.areas = np.repeat(np.linalg.norm(sides, axis=1) / 6, 3)
        self.regions = [self.region(j) for j in range(len(self.joints))]
        rest = self.worlds(None, 0)
        ends = np.array([transformed(rest[self.joints[j]] @ self.binds[j], middle + side * axis)
                         for j, (area, middle, axes) in enumerate(self.regions) if area > 0
                         for axis in axes for side in (-1, 1)])
        self.size = np.linalg.norm(ends.max(0) - ends.min(0))

    def region(self, joint):
        """Area, middle and three axes whose ends have the skin's variance."""
        share = self.weights[:, joint] * self.areas
        area = share.sum()
        if area <= 0:
            return 0.0, None, None
        middle = share @ self.points / area
        away = self.points - middle
        covariance = (away * share[:, None]).T @ away / area
        covariance += np.eye(3) * 1e-3 * np.trace(covariance)
        return area, middle, math.sqrt(3) * np.linalg.cholesky(covariance).T

    def locals(self, time):
        return [np.array(m).reshape(4, 4).T for m in self.gltf.local(self.clip, time)]

    def worlds(self, clip, time):
        return {n: np.array(m).reshape(4, 4).T for n, m in self.gltf.world(self.gltf.local(clip, time))[0].items()}

    def chain(self, node):
        while node is not None:
            yield node
            node = self.parents.get(node)


def transformed(matrix, point):
    return matrix[:3, :3] @ point + matrix[:3, 3]


def axis_angle(rotation):
    """Of a small rotation, from its antisymmetric part."""
    v = np.array([rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]])
    sine = np.linalg.norm(v) / 2
    return v * 0 if sine < 1e-12 else v / (2 * sine) * math.atan2(sine, (np.trace(rotation) - 1) / 2)


def soft(x, limit):
    return np.where(x <= limit / 2, x, limit / 2 + limit / 2 * np.tanh((x - limit / 2) / (limit / 2)))


class Moment:
    """Velocities and centroids at a time, and the displacement by them."""

    def __init__(self, fox, time, drag, squash):
        self.fox, self.drag, self.squash = fox, drag, squash
        self.worlds = fox.worlds(fox.clip, time)
        before, after = fox.locals(time - STEP), fox.locals(time + STEP)
        sums = {n: np.zeros(4) for n in self.worlds}
        for j, (area, middle, _) in enumerate(fox.regions):
            if area > 0:
                centre = transformed(self.worlds[fox.joints[j]] @ fox.binds[j], middle)
                for n in fox.chain(fox.joints[j]):
                    sums[n] += area * np.append(centre, 1)
        self.moving = {}
        for n, world in self.worlds.items():
            parent = self.worlds.get(fox.parents.get(n), np.eye(4))[:3, :3]
            linear = parent @ (after[n][:3, 3] - before[n][:3, 3]) / (2 * STEP)
            turn = axis_angle(after[n][:3, :3] @ before[n][:3, :3].T) / (2 * STEP)
            angular = parent @ turn / np.cbrt(np.linalg.det(parent))  # the Fox is scaled evenly
            if np.linalg.norm(linear) + np.linalg.norm(angular) > 1e-9 and sums[n][3] > 0:
                self.moving[n] = world[:3, 3], sums[n][:3] / sums[n][3], linear, angular

    def by_node(self, node, points):
        """The formulas: psi of one node at points."""
        origin, centre, linear, angular = self.moving[node]
        out = np.zeros_like(points)
        speed = np.linalg.norm(linear)
        if speed > 0:
            way = self.drag * speed
            if way > 0:
                out -= soft(way, 0.3 * self.fox.size) * linear / speed
            s = soft(self.squash * speed / self.fox.size, 1.0)
            u = linear / speed
            stretch = np.diag([1 + s, 1 / math.sqrt(1 + s), 1 / math.sqrt(1 + s)])
            other = np.cross(u, np.eye(3)[np.argmin(abs(u))])
            frame = np.array([u, other / np.linalg.norm(other), np.cross(u, other) / np.linalg.norm(other)]).T
            out += (points - centre) @ (frame @ stretch @ frame.T - np.eye(3)).T
        rate = np.linalg.norm(angular)
        if rate > 0:
            axis = angular / rate
            foot = origin + ((points - origin) @ axis)[:, None] * axis
            arm = points - foot
            angle = -soft(self.drag * rate * np.linalg.norm(arm, axis=1) / self.fox.size, 1.6)[:, None]
            out += np.cos(angle) * arm + np.sin(angle) * np.cross(axis, arm) - arm
            medial = (centre - origin) / max(np.linalg.norm(centre - origin), 1e-30)
            long = np.cross(medial, axis)
            if np.linalg.norm(long) >= 1e-2:
                long = long / np.linalg.norm(long)
                side = np.cross(medial, long)
                s = soft(self.squash * np.linalg.norm(np.cross(angular, points - origin), axis=1) / self.fox.size, 1.0)
                away = points - (origin + ((points - origin) @ medial)[:, None] * medial)
                out += s[:, None] * (away @ long)[:, None] * long
                out += (1 / (1 + s) - 1)[:, None] * (away @ side)[:, None] * side
        return out

    def above(self, joint, points):
        out = np.zeros_like(points)
        for n in self.fox.chain(self.fox.joints[joint]):
            if n in self.moving:
                out += self.by_node(n, points)
        return out

    def posed(self):
        out = np.zeros_like(self.fox.points)
        for j, node in enumerate(self.fox.joints):
            m = self.worlds[node] @ self.fox.binds[j]
            out += self.fox.weights[:, j:j + 1] * (self.fox.points @ m[:3, :3].T + m[:3, 3])
        return out

    def exact(self, points):
        return sum(self.fox.weights[:, j:j + 1] * self.above(j, points) for j in range(len(self.fox.joints)))

    def mapped(self, points):
        """By the affine map that fits the six points of every joint in the mean square."""
        out = np.zeros_like(points)
        for j, (area, middle, axes) in enumerate(self.fox.regions):
            if area <= 0:
                continue
            m = self.worlds[self.fox.joints[j]] @ self.fox.binds[j]
            six = np.array([transformed(m, middle + side * axis) for axis in axes for side in (-1, 1)])
            unknown, *_ = np.linalg.lstsq(np.c_[six, np.ones(6)], self.above(j, six), rcond=None)
            out += self.fox.weights[:, j:j + 1] * (np.c_[points, np.ones(len(points))] @ unknown)
        return out


@unittest.skipUnless(FOX.exists(), "needs the shared models")
class Velocity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fox = Fox(FOX)
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def exported(self, time, *words):
        path = Path(self.folder.name) / "posed.ply"
        sinew("export", FOX, "--clip", CLIP, "--time", time, *words, "-o", path)
        return corners(path)

    def test_the_formulas(self):
        for time in (0.2, 0.43):
            for drag, squash in ((0.2, 0), (0, 0.05), (0.4, 0.1), (2, 2)):
                with self.subTest(time=time, drag=drag, squash=squash):
                    moment = Moment(self.fox, time, drag, squash)
                    posed = moment.posed()
                    still = self.exported(time)
                    self.assertLess(np.abs(still - posed).max(), 1e-4 * self.fox.size)
                    moved = self.exported(time, "--drag", drag, "--squash", squash) - still
                    wanted = moment.mapped(posed)
                    most = np.linalg.norm(wanted, axis=1).max()
                    self.assertGreater(most, 5e-3 * self.fox.size)
                    self.assertLess(np.abs(moved - wanted).max(), 5e-3 * most)
                    if drag < 2:  # beyond, angles are large
                        off = np.linalg.norm(moved - moment.exact(posed), axis=1)
                        self.assertLess(off.mean(), 0.03 * most)
                        self.assertLess(off.max(), 0.3 * most)

    def test_what_does_not_move_is_the_same_to_the_last_bit(self):
        for method in ("lbs", "dqs", "arc-spline"):
            for words in (("--clip", "none"), ("--clip", CLIP, "--time", 0.3)):
                drag = ("--drag", 1, "--squash", 1) if "none" in words else ("--drag", 0, "--squash", 0)
                paths = [Path(self.folder.name) / name for name in ("a.ply", "b.ply")]
                sinew("export", FOX, "--method", method, *words, "-o", paths[0])
                sinew("export", FOX, "--method", method, *words, *drag, "-o", paths[1])
                self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
