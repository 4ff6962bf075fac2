#!/usr/bin/env python3
"""Transfer of weights, solved a second time with numpy and scipy.

Usage: transfer_test.py SINEW [NAME...], by a Python that has numpy and scipy; transfer_test.py SINEW --table
prints the table of docs/weights.md on clothes.

The sphere and the grid are those of the authors' example (Abdrashitov et al. 2023), made here by formula: a
sphere of radius 0.5 under a grid of 15 x 15 cells at a height of 0.555. Closest points, normals, the Laplacian,
the inpainted weights and the smoothing are computed here in double precision.

Clothes are parts of MakeHuman's body, moved along its smoothed normals: so the artists' weights of the body's
vertices are those of the clothes'.
"""
import json
import math
import sys
import unittest

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg
from scipy.spatial import cKDTree

import command_line
from command_line import CommandLine, needs, SHARED, sinew

BODY = SHARED / "makehuman_body"


def write_obj(path, places, faces):
    path.write_text("".join("v {:.9g} {:.9g} {:.9g}\n".format(*p) for p in places)
                    + "".join("f {} {} {}\n".format(*(f + 1)) for f in faces))


def written(*words):
    run = sinew(*words)
    if run.returncode != 0:
        raise AssertionError(f"{words}: exit code {run.returncode}\n{run.stderr}")
    return run.stdout


def dense(file, names=None):
    """Weights of a file as a matrix: a row a vertex, a column a joint."""
    data = json.loads(file.read_text())
    names = names or data["joints"]
    out = np.zeros((len(data["weights"]), len(names)))
    for vertex, row in enumerate(data["weights"]):
        for joint, weight in row:
            out[vertex, names.index(data["joints"][joint])] += weight
    return out, names


def order_of(places, mesh, skeleton):
    """For every vertex of sinew's the vertex of `places` that is there: readers have orders of their own."""
    problem = mesh.with_suffix(".problem.json")
    written("weights", mesh, "--skeleton", skeleton, "--algorithm", "nearest-bones", "--quiet", "--problem", problem)
    read = np.array(json.loads(problem.read_text())["positions"])
    distance, vertex = cKDTree(places).query(read)
    assert distance.max() < 1e-4
    return vertex


# ---- A second solution

def normals_of(places, faces):
    """Of vertices, by the area of their faces."""
    out = np.zeros_like(places)
    a, b, c = (places[faces[:, i]] for i in range(3))
    for corner in range(3):
        np.add.at(out, faces[:, corner], np.cross(b - a, c - a))
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)


def on_segment(points, a, b):
    """How much of b the closest points between a and b have."""
    along = b - a
    return np.clip(((points - a) * along).sum(1) / (along @ along), 0, 1)


def closest_points(points, places, faces):
    """Per point the face and its barycentric coordinates: every face is tried."""
    best = np.full(len(points), np.inf)
    face, shares = np.zeros(len(points), int), np.zeros((len(points), 3))
    for number, corners in enumerate(faces):
        a, b, c = places[corners]
        basis = np.column_stack([b - a, c - a])
        inside = (points - a) @ np.linalg.pinv(basis).T
        inside = np.column_stack([1 - inside.sum(1), inside])
        candidates = [np.where((inside >= 0).all(1)[:, None], inside, np.nan)]
        for i, j in ((0, 1), (1, 2), (2, 0)):
            part = on_segment(points, places[corners[i]], places[corners[j]])
            side = np.zeros((len(points), 3))
            side[:, i], side[:, j] = 1 - part, part
            candidates.append(side)
        for candidate in candidates:
            distance = np.linalg.norm(candidate @ places[corners] - points, axis=1)
            nearer = distance < best  # false for nan
            best[nearer], face[nearer], shares[nearer] = distance[nearer], number, candidate[nearer]
    return best, face, shares


def laplacian_of(places, faces):
    """The cotangent stiffness matrix, and a third of the area of its faces for every vertex."""
    count = len(places)
    rows, columns, values, areas = [], [], [], np.zeros(count)
    for corner in range(3):
        i, j, k = (faces[:, (corner + step) % 3] for step in range(3))
        u, v = places[j] - places[i], places[k] - places[i]
        double_area = np.linalg.norm(np.cross(u, v), axis=1)
        half_cotangent = (u * v).sum(1) / double_area / 2
        rows += [j, k]
        columns += [k, j]
        values += [-half_cotangent, -half_cotangent]
        np.add.at(areas, i, double_area / 6)
    edges = sparse.coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                              (count, count)).tocsr().minimum(0)
    return edges - sparse.diags(np.asarray(edges.sum(1)).ravel()), areas


def inpainted(places, faces, weights, known):
    stiffness, areas = laplacian_of(places, faces)
    size = np.linalg.norm(places.max(0) - places.min(0))
    energy = (stiffness + stiffness @ sparse.diags(size ** 2 / areas) @ stiffness).tocsr()
    out = weights.copy()
    missing, there = np.flatnonzero(~known), np.flatnonzero(known)
    out[missing] = linalg.splu(energy[missing][:, missing].tocsc()).solve(-(energy[missing][:, there] @ weights[there]))
    out = np.maximum(out, 0)
    return out / out.sum(1, keepdims=True)


def neighbours_of(faces, count):
    """Rows of the mean over the neighbours along edges."""
    a, b = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).T
    edges = sparse.coo_matrix((np.ones(len(a)), (a, b)), (count, count))
    edges = ((edges + edges.T) > 0).astype(float)
    return sparse.diags(1 / np.maximum(np.asarray(edges.sum(1)).ravel(), 1)) @ edges


# ---- The authors' example

def sphere():
    """As theirs: 15 meridians, 14 steps from pole to pole."""
    places = [(0, 0.5, 0), (0, -0.5, 0)]
    for ring in range(1, 14):
        polar = math.pi * ring / 14
        for step in range(15):
            around = -2 * math.pi * step / 15
            places.append((0.5 * math.sin(polar) * math.cos(around), 0.5 * math.cos(polar),
                           0.5 * math.sin(polar) * math.sin(around)))
    at = lambda ring, step: 2 + 15 * (ring - 1) + step % 15
    faces = [(0, at(1, s), at(1, s + 1)) for s in range(15)] + [(at(13, s), 1, at(13, s + 1)) for s in range(15)]
    for ring in range(1, 13):
        for s in range(15):
            faces += [(at(ring, s), at(ring + 1, s + 1), at(ring, s + 1)),
                      (at(ring, s), at(ring + 1, s), at(ring + 1, s + 1))]
    return np.array(places), np.array(faces)


def grid():
    line = np.linspace(-0.870227158, 0.870227158, 16)
    places = np.array([(x, 0.555136383, z) for z in line for x in line])
    faces = []
    for row in range(15):
        for column in range(15):
            a = 16 * row + column
            faces += [(a, a + 17, a + 1), (a, a + 16, a + 17)]
    return places, np.array(faces)


class Transfer(CommandLine):
    def rigged(self, name, places, faces, weights):
        """A mesh with these weights of joints in a row."""
        joints = weights.shape[1]
        write_obj(self.dir / f"{name}.obj", places, faces)
        (self.dir / f"{name}.tgf").write_text("".join(f"{j + 1} {0.1 * j} 0 0\n" for j in range(joints + 1)) + "#\n"
                                              + "".join(f"{j + 1} {j + 2}\n" for j in range(joints)))
        words = ["weights", self.dir / f"{name}.obj", "--skeleton", self.dir / f"{name}.tgf", "--quiet"]
        written(*words, "--algorithm", "nearest-bones", "--influences", 0, "-o", self.dir / "names.json")
        names = json.loads((self.dir / "names.json").read_text())["joints"][:joints]
        weights = weights[order_of(places, self.dir / f"{name}.obj", self.dir / f"{name}.tgf")]
        rows = [[[joint, weight] for joint, weight in enumerate(row) if weight > 0] for row in weights.tolist()]
        (self.dir / "given.json").write_text(json.dumps({"joints": names, "weights": rows}))
        written(*words, "--given", self.dir / "given.json", "--influences", 0, "-o", self.dir / f"{name}.glb")
        return self.dir / f"{name}.glb", names

    def transferred(self, source, target, places, names, *words):
        """Per vertex of `places`, with what the command says."""
        out = self.dir / "out.json"
        said = json.loads(written("transfer", source, target, "--influences", 0, "--json", "--quiet", "-o", out, *words))
        weights = np.zeros((len(places), len(names)))
        weights[order_of(places, target, source)] = dense(out, names)[0]
        return weights, said

    def sphere_to_grid(self, weights_at):
        source_places, source_faces = sphere()
        places, faces = grid()
        weights = np.array([weights_at(p) for p in source_places])
        source, names = self.rigged("sphere", source_places, source_faces, weights)
        write_obj(self.dir / "grid.obj", places, faces)
        distance, face, shares = closest_points(places, source_places, source_faces)
        corners = source_faces[face]
        copied = (weights[corners] * shares[:, :, None]).sum(1)
        there = (normals_of(source_places, source_faces)[corners] * shares[:, :, None]).sum(1)
        there /= np.linalg.norm(there, axis=1, keepdims=True)
        cosine = np.abs((there * normals_of(places, faces)).sum(1))
        limit = 0.05 * np.linalg.norm(places.max(0) - places.min(0))
        matched = (distance <= limit) & (cosine >= math.cos(math.radians(30)))
        # No vertex is so near to a limit that rounding decides.
        self.assertGreater(np.abs(distance - limit).min(), 1e-4)
        self.assertGreater(np.abs(cosine - math.cos(math.radians(30))).min(), 1e-4)
        return source, names, places, faces, copied, matched

    def test_the_authors_example_has_the_same_weights_everywhere(self):
        source, names, places, _, _, matched = self.sphere_to_grid(lambda p: (0.3, 0.7))
        out, said = self.transferred(source, self.dir / "grid.obj", places, names)
        self.assertEqual(said["matched"], matched.sum())
        self.assertEqual(said["matched"] + said["inpainted"], 256)
        self.assertLess(4, said["matched"])
        self.assertLess(said["matched"], 64)
        self.assertLess(np.abs(out - [0.3, 0.7]).max(), 1e-5)

    def test_weights_that_vary_are_those_of_scipy(self):
        def weights_at(p):
            mixed = np.exp(3 * np.array([p[0], -p[0] + p[2], -p[2], 0.1]))
            return mixed / mixed.sum()
        source, names, places, faces, copied, matched = self.sphere_to_grid(weights_at)
        out, said = self.transferred(source, self.dir / "grid.obj", places, names)
        self.assertEqual(said["matched"], matched.sum())
        self.assertLess(np.abs(out[matched] - copied[matched]).max(), 2e-5)
        wanted = inpainted(places, faces, copied, matched)
        self.assertLess(np.abs(out - wanted).max(), 2e-4)
        self.assertGreater(np.abs(out - copied).max(), 0.05)  # the copy is another solution
        # Smoothed everywhere, with the mean of neighbours as a matrix.
        smoothed, mean = wanted.copy(), neighbours_of(faces, len(places))
        for _ in range(7):
            smoothed = 0.8 * smoothed + 0.2 * (mean @ smoothed)
        out, _ = self.transferred(source, self.dir / "grid.obj", places, names, "--smooth", 7, "--smooth-all")
        self.assertLess(np.abs(out - smoothed).max(), 2e-4)
        # Without it, matched vertices far from any other keep their weights.
        out, _ = self.transferred(source, self.dir / "grid.obj", places, names, "--smooth", 7)
        self.assertGreater(np.abs(out - wanted).max(), 1e-3)

    @needs("makehuman_body/body.weights.txt")
    def test_clothes_are_nearer_to_the_artists_weights_than_copies(self):
        table = clothes_table(self.dir, ["shirt"], [2.0, 6.0])
        tight, loose = table
        self.assertLess(tight["paper"], tight["copied"])
        self.assertLess(loose["strict"], 2 / 3 * loose["copied"])
        for row in table:  # where a copy would be of another part
            self.assertLess(row["rejected"]["inpainted"], 2 / 3 * row["rejected"]["copied"])

    @needs("makehuman_body/body.weights.txt")
    def test_nothing_passes_between_loose_parts(self):
        """Two sleeves in one file: no vertex of one has weight of the other arm."""
        body = Body(self.dir)
        sleeves = ("upperarm", "lowerarm")
        places, faces, _ = body.garment(sleeves, 0.4)
        write_obj(self.dir / "sleeves.obj", places, faces)
        out, said = self.transferred(body.rigged, self.dir / "sleeves.obj", places, body.names, "--distance", 6, "--angle", 10, "--smooth", 20)
        self.assertGreater(said["inpainted"], 50)
        left = np.array([name.endswith(".L") for name in body.names])
        right = np.array([name.endswith(".R") for name in body.names])
        sides = places[:, 0] > 0
        self.assertLess(out[sides][:, right].max(), 1e-6)
        self.assertLess(out[~sides][:, left].max(), 1e-6)


# ---- Clothes

class Body:
    """MakeHuman's body with its artists' weights, whose vertices of one position are one."""

    def __init__(self, folder):
        self.folder, self.rigged = folder, folder / "body.glb"
        words = ["weights", BODY / "makehuman_body.obj", "--skeleton", BODY / "body.tgf", "--given", BODY / "body.weights.txt",
                 "--pruning", "plain", "--quiet"]
        written(*words, "--problem", folder / "problem.json", "-o", self.rigged)
        written(*words, "-o", folder / "body.json")
        problem = json.loads((folder / "problem.json").read_text())
        weights, self.names = dense(folder / "body.json")
        places, faces = np.array(problem["positions"]), np.array(problem["triangles"])
        _, first, welded = np.unique(places.round(5), axis=0, return_index=True, return_inverse=True)
        self.places, self.weights, faces = places[first], weights[first], welded.reshape(-1)[faces]
        self.faces = faces[(faces != np.roll(faces, 1, axis=1)).all(1)]
        self.strongest = [self.names[joint] for joint in self.weights.argmax(1)]

    def clothes(self, name, distance):
        trunk = ("root", "pelvis", "spine", "clavicle", "shoulder", "upperarm")
        legs = ("root", "spine05", "pelvis", "upperleg", "lowerleg")
        if name == "shirt":  # as far down as the hips
            hips = np.mean([p[1] for p, joint in zip(self.places, self.strongest) if joint.startswith("pelvis")])
            return self.garment(trunk, distance, hips - 0.5)
        return self.garment({"trousers": legs, "overall": trunk + legs + ("lowerarm",)}[name], distance)

    def garment(self, parts, distance, above=-math.inf):
        """The skin of these joints, so many decimetres along its normals, which are smoothed."""
        chosen = np.array([name.startswith(parts) for name in self.strongest]) & (self.places[:, 1] > above)
        faces = self.faces[chosen[self.faces].all(1)]
        used, faces = np.unique(faces, return_inverse=True)
        faces = faces.reshape(-1, 3)
        normals, mean = normals_of(self.places, self.faces)[used], neighbours_of(faces, len(used))
        for _ in range(20):
            normals = mean @ normals
            normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return self.places[used] + distance * normals, faces, self.weights[used]

    def transferred(self, places, faces, *words):
        """Per vertex of the garment."""
        target, out = self.folder / "garment.obj", self.folder / "garment.json"
        write_obj(target, places, faces)
        written("transfer", self.rigged, target, "--influences", 0, "--quiet", "-o", out, *words)
        weights = np.zeros((len(places), len(self.names)))
        weights[order_of(places, target, BODY / "body.tgf")] = dense(out, self.names)[0]
        return weights


def clothes_table(folder, garments, distances):
    """Mean L1 to the artists' weights: copied from the closest point, as published, and with a strict angle."""
    body = Body(folder)
    rows = []
    for name in garments:
        for centimetres in distances:
            places, faces, wanted = body.clothes(name, 0.1 * centimetres)
            weights = {kind: body.transferred(places, faces, *words) for kind, words in {
                "copied": ("--distance", 100, "--angle", 180), "paper": ("--distance", 15),
                "strict": ("--distance", 15, "--angle", 12)}.items()}
            l1 = {kind: np.abs(each - wanted).sum(1) for kind, each in weights.items()}
            changed = np.abs(weights["paper"] - weights["copied"]).sum(1) > 1e-4
            rows.append({"garment": name, "centimetres": centimetres,
                         **{kind: each.mean() for kind, each in l1.items()},
                         "rejected": {"share": changed.mean(), "copied": l1["copied"][changed].mean(),
                                      "inpainted": l1["paper"][changed].mean()}})
    return rows


def print_table(folder):
    print("| garment, away from the skin | copied | as published | 12 degrees | rejected vertices | copied | inpainted |")
    print("|---|---|---|---|---|---|---|")
    for row in clothes_table(folder, ["shirt", "trousers", "overall"], [2, 4, 6, 8]):
        part = row["rejected"]
        print(f"| {row['garment']}, {row['centimetres']} cm | {row['copied']:.3f} | {row['paper']:.3f} | {row['strict']:.3f} | "
              f"{100 * part['share']:.0f} % | {part['copied']:.2f} | {part['inpainted']:.2f} |")


if __name__ == "__main__":
    command_line.SINEW = sys.argv.pop(1)
    if sys.argv[1:] == ["--table"]:
        import pathlib
        import tempfile
        with tempfile.TemporaryDirectory() as temporary:
            print_table(pathlib.Path(temporary))
    else:
        unittest.main()
