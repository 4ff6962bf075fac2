"""A twisted tube by several methods, as in figure 8 of Kavan and Zara 2003 ("Bones blending"): the
radius at the joint over the angle. Linear blending collapses at half a turn.

    python3 twist_figure.py OUT.png          needs matplotlib; without it prints a table
"""
import sys

import numpy as np

import sinew

RINGS, SIDES = 41, 24


def tube():
    """A tube along y from -1 to 1, over two joints, at its ends and in the middle."""
    y, a = np.meshgrid(np.linspace(-1, 1, RINGS), np.arange(SIDES) * 2 * np.pi / SIDES, indexing="ij")
    positions = np.stack([0.25 * np.sin(a), y, 0.25 * np.cos(a)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(RINGS - 1), np.arange(SIDES), indexing="ij")
    a, b = i * SIDES + j, i * SIDES + (j + 1) % SIDES
    triangles = np.concatenate([np.stack([a, b, b + SIDES], -1).reshape(-1, 3),
                                np.stack([a, b + SIDES, a + SIDES], -1).reshape(-1, 3)])
    second = np.clip(0.5 + positions[:, 1], 0, 1)  # weight of the second joint
    inverse = np.tile(np.eye(4), (2, 1, 1))
    inverse[0, 1, 3] = 1  # the first joint is at y = -1
    return sinew.Model(positions=positions, triangles=triangles, parents=[-1, 0], inverse_bind=inverse,
                       weights=np.stack([1 - second, second], 1))


def twisted(degrees):
    """F x 2 x 4 x 4: the second joint about y."""
    out = np.tile(np.eye(4), (len(degrees), 2, 1, 1))
    out[:, 0, 1, 3] = -1
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out[:, 1, 0, 0], out[:, 1, 0, 2], out[:, 1, 2, 0], out[:, 1, 2, 2] = c, s, -s, c
    return out


model = tube()
angles = np.arange(0, 181, 10.0)
middle = abs(model.positions[:, 1]) < 1e-6
curves = {}
for name in ("lbs", "dqs", "bones-blending", "arc-spline"):
    posed = model.skin(name, twisted(angles))[:, middle]
    curves[name] = np.linalg.norm(posed[..., [0, 2]], axis=2).mean(1) / 0.25

try:
    from matplotlib import pyplot
except ImportError:
    print("degrees " + " ".join("%15s" % name for name in curves))
    for row, angle in enumerate(angles):
        print("%7.0f " % angle + " ".join("%15.3f" % curve[row] for curve in curves.values()))
    sys.exit(0)
for name, curve in curves.items():
    pyplot.plot(angles, curve, label=name)
pyplot.xlabel("twist, degrees")
pyplot.ylabel("radius at the joint")
pyplot.legend()
pyplot.savefig(sys.argv[1])
