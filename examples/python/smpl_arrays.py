"""SMPL-like arrays skinned by every method, and written as a .glb.

    python3 smpl_arrays.py BODY.npz OUT.glb

BODY.npz has what such models have: v_template V x 3, f T x 3, weights V x J, kintree_table 2 x J,
and the joints J x 3 (or their regressor J_regressor J x V, dense or of scipy.sparse).
"""
import sys

import numpy as np

import sinew

body = np.load(sys.argv[1], allow_pickle=True)
vertices = np.asarray(body["v_template"], "f4")
parents = np.asarray(body["kintree_table"][0], "i8").astype("i4")
parents[0] = -1
if "J" in body:
    joints = body["J"]
else:
    regressor = body["J_regressor"]
    if regressor.shape == ():  # a sparse matrix, which numpy has as an object
        regressor = regressor.item().toarray()
    joints = regressor @ vertices
count = len(parents)

inverse_bind = np.tile(np.eye(4, dtype="f4"), (count, 1, 1))
inverse_bind[:, :3, 3] = -joints
model = sinew.Model(positions=vertices, triangles=np.asarray(body["f"], "u4"), parents=parents,
                    inverse_bind=inverse_bind, weights=np.asarray(body["weights"], "f4"))


def rotation(vector):
    """Rodrigues' formula: an axis times an angle as a matrix."""
    angle = np.linalg.norm(vector) + 1e-12
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def posed(rotations):
    """J x 4 x 4 from J x 3 rotations, relative to the parents."""
    out = np.tile(np.eye(4, dtype="f4"), (count, 1, 1))
    for j, parent in enumerate(parents):
        local = np.eye(4)
        local[:3, :3] = rotation(rotations[j])
        local[:3, 3] = joints[j] - (joints[parent] if parent >= 0 else 0)
        out[j] = out[parent] @ local if parent >= 0 else local
    return out


pose = posed(np.random.default_rng(1).normal(0, 0.3, (count, 3)))
linear = model.skin("lbs", pose)
for name in sinew.methods():
    moved = np.linalg.norm(model.skin(name, pose) - linear, axis=1)
    print("%-16s %.4f from linear blending at most" % (name, moved.max()))
model.save(sys.argv[2])
