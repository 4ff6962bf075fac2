"""An artist's weights beside automatic ones: how far apart they are, and what that moves.

    python3 compare_weights.py MODEL [METHOD]
"""
import sys

import numpy as np

import sinew

artist = sinew.load(sys.argv[1])
method = sys.argv[2] if len(sys.argv) > 2 else "bone-glow"
automatic = sinew.weights(artist, artist, method,
                          progress=lambda done, what: print("%3.0f%% %s" % (100 * done, what),
                                                            end="\r", file=sys.stderr))

# The same joints by name, in the order of the first model.
order = [automatic.joint_names.index(name) if name in automatic.joint_names else -1
         for name in artist.joint_names]
own = artist.dense_weights
made = np.concatenate([automatic.dense_weights, np.zeros((len(own), 1), "f4")], 1)[:, order]
difference = abs(own - made).sum(1) / 2  # of each vertex: the weight that is elsewhere
print("weight that differs: %.3f of a vertex in the mean, %.3f at most" % (difference.mean(),
                                                                          difference.max()))
worst = np.argsort(-abs(own - made).sum(0))[:5]
print("joints that differ most: %s" % ", ".join(artist.joint_names[j] for j in worst))

if artist.clips:
    times = np.linspace(0, artist.clips[0].seconds, 20)
    a = artist.skin("lbs", artist.pose(0, times))
    b = automatic.skin("lbs", automatic.pose(0, times))
    size = np.linalg.norm(np.ptp(artist.positions, axis=0))
    print("vertices in the first clip: %.2f %% of the size apart in the mean" %
          (100 * np.linalg.norm(a - b, axis=2).mean() / size))
