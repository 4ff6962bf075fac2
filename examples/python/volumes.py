"""All skinning methods in one pose of a clip, with how much of the volume each keeps.

    python3 volumes.py MODEL [CLIP [SECONDS]]
"""
import sys

import sinew

model = sinew.load(sys.argv[1])
clip = sys.argv[2] if len(sys.argv) > 2 else 0
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.5

pose = model.pose(clip, seconds)  # J x 4 x 4
measures = model.compare(list(sinew.methods()), pose)
print("%-16s %8s %9s %9s" % ("method", "volume", "stretch", "distance"))
for name, values in measures.items():
    print("%-16s %7.1f%% %9.2f %8.2f%%" % (name, 100 * values["volume"], values["stretch"],
                                          100 * values["distance"]))
