"""A small character as a VRM file of either version, made here: a head and a body of tubes, strands of
hair that swing around them, an ornament on the hair, expressions, and a clip of four seconds.

Usage: vrm_cases.py FOLDER
"""
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gltf_cases import FLOAT, USHORT, Writer, axis_angle, translation  # noqa: E402

SECONDS, RATE = 4.0, 30
STRANDS, LINKS, LINK = 8, 4, 0.11
# Name, parent and place of its joints. No name says what it is: the humanoid's bones do.
BODY = [("n0", None, (0, 0.9, 0)), ("n1", "n0", (0, 0.25, 0)), ("n2", "n1", (0, 0.3, 0)), ("n3", "n2", (0, 0.15, 0)),
        ("n4", "n2", (0.2, 0, 0)), ("n5", "n4", (0.25, 0, 0)), ("n6", "n5", (0.25, 0, 0)),
        ("n7", "n2", (-0.2, 0, 0)), ("n8", "n7", (-0.25, 0, 0)), ("n9", "n8", (-0.25, 0, 0))]
HUMANOID = {"hips": "n0", "spine": "n1", "chest": "n2", "head": "n3", "leftUpperArm": "n4", "leftLowerArm": "n5",
            "leftHand": "n6", "rightUpperArm": "n7", "rightLowerArm": "n8", "rightHand": "n9"}
# Radius of the tube to each joint.
THICK = {"n0": 0.14, "n1": 0.15, "n2": 0.13, "n3": 0.06}


def joints():
    out = list(BODY)
    for strand in range(STRANDS):
        a = math.pi * (0.1 + strand / (STRANDS - 1) * 0.8)  # around the back of the head
        out.append((f"s{strand}_0", "n3", (0.11 * math.cos(a), 0.14, -0.11 * math.sin(a))))
        for link in range(1, LINKS + 1):
            spread = 0.35 if link == 1 else 0.1
            way = (spread * math.cos(a), -1.0, -spread * math.sin(a))
            size = LINK / math.sqrt(sum(c * c for c in way))
            out.append((f"s{strand}_{link}", f"s{strand}_{link - 1}", tuple(size * c for c in way)))
    # An ornament that hangs on a strand, with a joint beside its chain.
    out.append(("o0", "s2_3", (0, 0, -0.03)))
    out.append(("o1", "o0", (0, -0.06, -0.02)))
    out.append(("o2", "o0", (0.03, -0.05, 0)))
    return out


def ring(at, radius, way, count=8):
    """Around a point, across a direction."""
    n = math.sqrt(sum(c * c for c in way)) or 1.0
    y = [c / n for c in way]
    side = (1, 0, 0) if abs(y[0]) < 0.9 else (0, 1, 0)
    x = [side[1] * y[2] - side[2] * y[1], side[2] * y[0] - side[0] * y[2], side[0] * y[1] - side[1] * y[0]]
    n = math.sqrt(sum(c * c for c in x))
    x = [c / n for c in x]
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    out = []
    for k in range(count):
        a = 2 * math.pi * k / count
        normal = [math.cos(a) * x[i] + math.sin(a) * z[i] for i in range(3)]
        out.append(([at[i] + radius * normal[i] for i in range(3)], normal))
    return out


class Skin:
    def __init__(self):
        self.positions, self.normals, self.joints, self.weights, self.indices = [], [], [], [], []

    def tube(self, rings, count=8):
        """rings: (vertices of ring(), two joints, the weight of the second)."""
        first = len(self.positions)
        for vertices, pair, t in rings:
            for position, normal in vertices:
                self.positions.append(position)
                self.normals.append(normal)
                self.joints.append([pair[0], pair[1], 0, 0])
                self.weights.append([1 - t, t, 0, 0])
        for r in range(len(rings) - 1):
            for k in range(count):
                a, b = first + r * count + k, first + r * count + (k + 1) % count
                self.indices += [a, a + count, b, b, a + count, b + count]

    def ball(self, at, radius, joint, rows=8, count=16):
        first = len(self.positions)
        for r in range(rows + 1):
            for k in range(count):
                p, a = math.pi * r / rows, 2 * math.pi * k / count
                normal = [math.sin(p) * math.cos(a), math.cos(p), math.sin(p) * math.sin(a)]
                self.positions.append([at[i] + radius * normal[i] for i in range(3)])
                self.normals.append(normal)
                self.joints.append([joint, 0, 0, 0])
                self.weights.append([1, 0, 0, 0])
        for r in range(rows):
            for k in range(count):
                a, b = first + r * count + k, first + r * count + (k + 1) % count
                self.indices += [a, b, a + count, b, b + count, a + count]


def places(tree):
    at = {}
    for name, parent, move in tree:
        base = at[parent] if parent else (0, 0, 0)
        at[name] = tuple(b + m for b, m in zip(base, move))
    return at


def skin(tree, at):
    index = {name: i for i, (name, _, _) in enumerate(tree)}
    out = Skin()
    for name, parent, _ in tree:
        if parent is None or (name.startswith("s") and parent == "n3"):
            continue
        radius = THICK.get(name, 0.05 if name.startswith("n") else 0.022 if name.startswith("s") else 0.012)
        a, b = at[parent], at[name]
        way = [q - p for p, q in zip(a, b)]
        rings = []
        for step in range(5):
            t = step / 4
            place = [p + t * w for p, w in zip(a, way)]
            rings.append((ring(place, radius, way), (index[parent], index[name]), 0.5 * t * t))
        out.tube(rings)
    head = at["n3"]
    out.ball((head[0], head[1] + 0.1, head[2]), 0.13, index["n3"])
    return out


def clip(writer, tree, at):
    count = int(SECONDS * RATE) + 1
    times = [[i / RATE] for i in range(count)]
    move, turn, nod = [], [], []
    for (t,) in times:
        start = min(t, 1.0)  # the clip begins at rest
        move.append([0.25 * start * math.sin(3.0 * t), 0.9 + 0.08 * math.sin(6.0 * t) * start,
                     0.2 * start * math.sin(2.0 * t)])
        turn.append(axis_angle((0, 1, 0), 0.9 * start * math.sin(2.5 * t)))
        nod.append(axis_angle((1, 0, 0), 0.4 * start * math.sin(4.0 * t)))
    key = writer.add(times)
    samplers = [{"input": key, "output": writer.add(values)} for values in (move, turn, nod)]
    targets = [(0, "translation"), (1, "rotation"), (3, "rotation")]
    return {"name": "sway", "samplers": samplers,
            "channels": [{"sampler": i, "target": {"node": node, "path": path}}
                         for i, (node, path) in enumerate(targets)]}


def morphs(mesh):
    """The head's lower half moved aside, and its front moved up."""
    smile, brow = [], []
    for x, y, z in mesh.positions:
        head = y > 1.6 and z > 0.02
        smile.append([0.05 * x / 0.13, 0, 0.01] if head and y < 1.7 else [0, 0, 0])
        brow.append([0, 0.03, 0] if head and y >= 1.7 else [0, 0, 0])
    return [smile, brow]


def character():
    """A Writer without extensions, and the index of each joint."""
    tree = joints()
    at = places(tree)
    index = {name: i for i, (name, _, _) in enumerate(tree)}
    mesh = skin(tree, at)
    writer = Writer()
    attributes = {"POSITION": writer.add(mesh.positions), "NORMAL": writer.add(mesh.normals),
                  "JOINTS_0": writer.add(mesh.joints, USHORT), "WEIGHTS_0": writer.add(mesh.weights, FLOAT)}
    targets = [{"POSITION": writer.add(offsets)} for offsets in morphs(mesh)]
    nodes = [{"name": name, "translation": list(move)} for name, _, move in tree]
    for name, parent, _ in tree:
        if parent:
            nodes[index[parent]].setdefault("children", []).append(index[name])
    nodes.append({"name": "body", "mesh": 0, "skin": 0})
    binds = [translation(*[-c for c in at[name]]) for name, _, _ in tree]
    json = writer.json
    json.update({
        "scene": 0, "scenes": [{"nodes": [0, len(tree)]}], "nodes": nodes,
        "meshes": [{"name": "body", "extras": {"targetNames": ["smile", "brow"]}, "weights": [0, 0],
                    "primitives": [{"attributes": attributes, "targets": targets,
                                    "indices": writer.add([[i] for i in mesh.indices], USHORT)}]}],
        "skins": [{"joints": list(range(len(tree))), "inverseBindMatrices": writer.add(binds)}],
        "animations": [clip(writer, tree, at)]})
    return writer, index


def vrm1():
    writer, at = character()
    mesh = len(at)
    chains = []
    for strand in range(STRANDS):
        settings = {"hitRadius": 0.02, "stiffness": 0.4 + 0.2 * strand, "gravityPower": 0.15 * (strand % 3),
                    "gravityDir": [0, -1, 0], "dragForce": 0.2 + 0.1 * (strand % 4)}
        chains.append({"name": f"strand {strand}", "colliderGroups": [0, 1],
                       "joints": [{"node": at[f"s{strand}_{link}"], **settings} for link in range(LINKS + 1)]})
    chains[3]["center"] = at["n0"]
    chains[5]["colliderGroups"] = [0, 2]
    ornament = {"name": "ornament", "colliderGroups": [1], "joints": [
        {"node": at["o0"], "stiffness": 0.5, "dragForce": 0.3}, {"node": at["o1"]}]}
    extended = {"VRMC_springBone_extended_collider": {"specVersion": "1.0", "shape": {
        "plane": {"offset": [0, 0.2, -0.3], "normal": [0, 0, 1]}}}}
    inside = {"VRMC_springBone_extended_collider": {"specVersion": "1.0", "shape": {
        "sphere": {"offset": [0, 0, 0], "radius": 0.45, "inside": True}}}}
    writer.json["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0", "meta": {"name": "made for tests", "authors": ["sinew"], "licenseUrl": "-"},
            "humanoid": {"humanBones": {bone: {"node": at[name]} for bone, name in HUMANOID.items()}},
            "expressions": {"preset": {"happy": {"isBinary": False, "morphTargetBinds": [
                {"node": mesh, "index": 0, "weight": 1.0}, {"node": mesh, "index": 1, "weight": 0.5}]}}}},
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [
                {"node": at["n3"], "shape": {"sphere": {"offset": [0, 0.1, 0], "radius": 0.14}}},
                {"node": at["n2"], "shape": {"capsule": {"offset": [0, -0.3, 0], "radius": 0.15, "tail": [0, 0, 0]}}},
                {"node": at["n2"], "shape": {"sphere": {}}, "extensions": extended},
                {"node": at["n3"], "shape": {"sphere": {}}, "extensions": inside},
                {"node": at["s0_2"], "shape": {"sphere": {"radius": 0.03}}}],
            "colliderGroups": [{"name": "head", "colliders": [0]}, {"name": "back", "colliders": [1, 2]},
                               {"name": "shell", "colliders": [3, 4]}],
            # The ornament hangs on a strand that stands behind it.
            "springs": [ornament, *chains]}}
    writer.json["extensionsUsed"] = ["VRMC_springBone", "VRMC_springBone_extended_collider", "VRMC_vrm"]
    return writer


def vrm0():
    writer, at = character()
    vector = lambda x, y, z: {"x": x, "y": y, "z": z}
    groups = []
    for first in range(2):
        groups.append({"comment": f"hair {first}", "stiffiness": 0.6 + 0.5 * first, "gravityPower": 0.2 * first,
                       "dragForce": 0.3, "gravityDir": vector(0.2, -1, 0), "center": at["n0"] if first else -1,
                       "hitRadius": 0.02, "colliderGroups": [0, 1],
                       "bones": [at[f"s{strand}_0"] for strand in range(first, STRANDS, 2)]})
    writer.json["extensions"] = {"VRM": {
        "specVersion": "0.0", "exporterVersion": "sinew",
        "humanoid": {"humanBones": [{"bone": bone, "node": at[name]} for bone, name in HUMANOID.items()]},
        "blendShapeMaster": {"blendShapeGroups": [{"name": "Joy", "presetName": "joy", "binds": [
            {"mesh": 0, "index": 0, "weight": 100}, {"mesh": 0, "index": 1, "weight": 50}]}]},
        "secondaryAnimation": {"boneGroups": groups, "colliderGroups": [
            {"node": at["n3"], "colliders": [{"offset": vector(0, 0.1, 0), "radius": 0.14}]},
            {"node": at["n2"], "colliders": [{"offset": vector(0, -0.05, 0.02), "radius": 0.16},
                                             {"offset": vector(0, -0.2, 0.02), "radius": 0.16}]}]}}}
    writer.json["extensionsUsed"] = ["VRM"]
    return writer


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    vrm1().save(folder / "character-1.vrm")
    vrm0().save(folder / "character-0.vrm")
