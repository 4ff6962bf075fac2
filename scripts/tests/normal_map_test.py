#!/usr/bin/env python3
"""Normal maps of FBX, OBJ and Collada shade like the same model as glTF.

Usage: normal_map_test.py SINEW. A wavy plate with a picture and a normal map is written here in each format, once
with the map and once without; the pictures that `sinew render` draws are compared with those of the glTF file.
"""
import base64
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

SINEW = ""
CELLS = 12  # along each side of the plate
SAME, OTHER = 0.002, 0.1  # shares of pixels that may differ between formats, and that a normal map has to change


def png(width, height, pixel):
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def map_pixel(x, y):
    """Ramps that rise to the right and to the top, of different steepness: neither axis may be mistaken for another."""
    n = [-0.6 if x % 16 < 10 else 0.3, 0.4 if y % 16 < 6 else -0.2, 1.0]
    length = math.hypot(*n)
    return [round(127.5 * (c / length + 1.0)) for c in n]


class Plate:
    """Points with their normals, texture coordinates (v up) and tangents; triangles. The right half's image is mirrored."""

    def __init__(self):
        self.points, self.normals, self.uvs, self.tangents, self.triangles = [], [], [], [], []
        for half in (0, 1):
            first = len(self.points)
            for row in range(CELLS + 1):
                for column in range(CELLS + 1):
                    u, v = column / CELLS, row / CELLS
                    x, z = half + u - 1.0, 1.0 - 2.0 * v
                    self.points.append((x, 0.2 * math.sin(2.0 * x) * math.cos(2.0 * z), z))
                    slope_x, slope_z = 0.4 * math.cos(2.0 * x) * math.cos(2.0 * z), -0.4 * math.sin(2.0 * x) * math.sin(2.0 * z)
                    length = math.hypot(slope_x, 1.0, slope_z)
                    self.normals.append((-slope_x / length, 1.0 / length, -slope_z / length))
                    self.uvs.append((1.0 - u if half else u, v))
                    along, side = math.hypot(1.0, slope_x), -1.0 if half else 1.0
                    self.tangents.append((side / along, side * slope_x / along, 0.0, side))
            for row in range(CELLS):
                for column in range(CELLS):
                    a = first + row * (CELLS + 1) + column
                    b = a + CELLS + 1
                    self.triangles += [(a, a + 1, b + 1), (a, b + 1, b)]


def flat(rows):
    return ",".join(f"{c:.7g}" for row in rows for c in row)


def gltf(plate, mapped, tangents=False):
    data, views, accessors = b"", [], []

    def add(rows, kind, shape, **more):
        nonlocal data
        body = struct.pack("<%d%s" % (sum(map(len, rows)), kind), *[c for row in rows for c in row])
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(body)})
        data += body
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126 if kind == "f" else 5125,
                          "count": len(rows) * len(rows[0]) if shape == "SCALAR" else len(rows), "type": shape, **more})
        return len(accessors) - 1

    attributes = {"POSITION": add(plate.points, "f", "VEC3", min=[-1, -1, -1], max=[1, 1, 1]),
                  "NORMAL": add(plate.normals, "f", "VEC3"), "TEXCOORD_0": add([(u, 1.0 - v) for u, v in plate.uvs], "f", "VEC2")}
    if tangents:
        attributes["TANGENT"] = add(plate.tangents, "f", "VEC4")
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 1}}
    if mapped:
        material["normalTexture"] = {"index": 1}
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": attributes, "indices": add(plate.triangles, "I", "SCALAR"), "material": 0}]}],
                "materials": [material], "textures": [{"source": 0}, {"source": 1}],
                "images": [{"uri": "base.png"}, {"uri": "map.png"}], "accessors": accessors, "bufferViews": views,
                "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    return json.dumps(document)


def fbx(plate, mapped, tangents=False, slot="NormalMap"):
    corners = [i for triangle in plate.triangles for i in triangle]

    def numbers(name, text):
        return f"{name}: *{text.count(',') + 1} {{\na: {text}\n}}\n"

    def layer(kind, name, rows):
        return (f'LayerElement{kind}: 0 {{\nName: ""\nMappingInformationType: "ByPolygonVertex"\nReferenceInformationType: "Direct"\n' +
                numbers(name, flat([rows[i] for i in corners])) + "}\n")

    polygons = ",".join(str(i if k < 2 else -i - 1) for triangle in plate.triangles for k, i in enumerate(triangle))
    mesh = numbers("Vertices", flat(plate.points)) + numbers("PolygonVertexIndex", polygons)
    mesh += layer("Normal", "Normals", plate.normals) + layer("UV", "UV", plate.uvs)
    if tangents:
        crosses = [tuple(t[3] * (n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3]) for k in range(3))
                   for n, t in zip(plate.normals, plate.tangents)]
        mesh += layer("Tangent", "Tangents", [t[:3] for t in plate.tangents]) + layer("Binormal", "Binormals", crosses)
    colour = 'P: "SpecularFactor", "Number", "", "A",0\nP: "SpecularColor", "Color", "", "A",0,0,0\n'
    text = ("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\nGlobalSettings:  {\n}\nObjects:  {\n"
            f'Geometry: 2, "Geometry::plate", "Mesh" {{\n{mesh}}}\nModel: 1, "Model::plate", "Mesh" {{\n}}\n'
            f'Material: 3, "Material::plate", "" {{\nProperties70:  {{\n{colour}}}\n}}\n'
            'Texture: 4, "Texture::base", "" {\nRelativeFilename: "base.png"\n}\n'
            'Texture: 5, "Texture::map", "" {\nRelativeFilename: "map.png"\n}\n}\n'
            'Connections:  {\nC: "OO",1,0\nC: "OO",2,1\nC: "OO",3,1\nC: "OP",4,3, "DiffuseColor"\n')
    return text + (f'C: "OP",5,3, "{slot}"\n' if mapped else "") + "}\n"


def obj(plate):
    lines = ["mtllib plate.mtl", "usemtl plate"]
    lines += ["v %.7g %.7g %.7g" % p for p in plate.points] + ["vt %.7g %.7g" % t for t in plate.uvs]
    lines += ["vn %.7g %.7g %.7g" % n for n in plate.normals]
    lines += ["f " + " ".join(f"{i + 1}/{i + 1}/{i + 1}" for i in triangle) for triangle in plate.triangles]
    return "\n".join(lines) + "\n"


def collada(plate, mapped):
    def source(name, rows, parts):
        params = "".join(f'<param name="{p}" type="float"/>' for p in parts)
        values = flat(rows).replace(",", " ")
        return (f'<source id="{name}"><float_array id="{name}-a" count="{len(rows) * len(parts)}">{values}</float_array><technique_common>'
                f'<accessor source="#{name}-a" count="{len(rows)}" stride="{len(parts)}">{params}</accessor></technique_common></source>')

    def texture(name):
        return (f'<newparam sid="{name}-surface"><surface type="2D"><init_from>{name}</init_from></surface></newparam>'
                f'<newparam sid="{name}-sampler"><sampler2D><source>{name}-surface</source></sampler2D></newparam>')

    bump = ('<extra><technique profile="FCOLLADA"><bump><texture texture="map-sampler" texcoord="UV"/></bump></technique></extra>'
            if mapped else "")
    corners = " ".join(f"{i} {i} {i}" for triangle in plate.triangles for i in triangle)
    return ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>'
            '<library_images><image id="base"><init_from>base.png</init_from></image><image id="map"><init_from>map.png</init_from></image></library_images>'
            f'<library_effects><effect id="e"><profile_COMMON>{texture("base")}{texture("map")}<technique sid="t"><lambert><diffuse>'
            f'<texture texture="base-sampler" texcoord="UV"/></diffuse></lambert>{bump}</technique></profile_COMMON></effect></library_effects>'
            '<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials><library_geometries><geometry id="g"><mesh>' +
            source("p", plate.points, "XYZ") + source("n", plate.normals, "XYZ") + source("t", plate.uvs, "ST") +
            '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
            f'<triangles count="{len(plate.triangles)}" material="s"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" '
            'source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2" set="0"/><p>' + corners + "</p></triangles></mesh></geometry>"
            '</library_geometries><library_visual_scenes><visual_scene id="s"><node id="plate"><instance_geometry url="#g"><bind_material><technique_common>'
            '<instance_material symbol="s" target="#m"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material>'
            '</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>'
            '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')


class NormalMaps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = Path(cls.folder.name)
        cls.plate = Plate()
        (cls.dir / "base.png").write_bytes(png(16, 16, lambda x, y: (200, 120 + 5 * y, 90)))
        (cls.dir / "map.png").write_bytes(png(64, 64, map_pixel))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def write(self, name, text):
        (self.dir / name).write_text(text)
        return self.dir / name

    def picture(self, model, *words):
        out = model.with_suffix(model.suffix + ".png")
        run = subprocess.run([SINEW, "render", model, "--yaw", "25", "--pitch", "50", "--size", "320x240", "--look", "plain", "--show", "no-grid", "--quiet", "-o",
                              out, *words], capture_output=True, text=True, timeout=120)
        return run, out

    def check_same(self, mapped, reference):
        run, _ = self.picture(mapped, "--reference", reference, "--threshold", str(SAME))
        self.assertEqual(run.returncode, 0, f"{mapped.name}: {run.stderr}")

    def check_other(self, plain, reference):
        """Without the map the picture is another one."""
        run, _ = self.picture(plain, "--reference", reference, "--threshold", str(OTHER))
        self.assertEqual(run.returncode, 1, f"{plain.name}: the normal map changes nothing: {run.stderr}")

    def reference(self, **options):
        run, out = self.picture(self.write("reference.gltf", gltf(self.plate, True, **options)))
        self.assertEqual(run.returncode, 0, run.stderr)
        return out

    def test_fbx(self):
        for tangents, slots in ((False, ("NormalMap", "Bump", "Maya|TEX_normal_map", "3dsMax|main|norm_map")), (True, ("NormalMap",))):
            reference = self.reference(tangents=tangents)
            self.check_other(self.write("plain.fbx", fbx(self.plate, False, tangents)), reference)
            for slot in slots:
                with self.subTest(slot=slot, tangents=tangents):
                    self.check_same(self.write("mapped.fbx", fbx(self.plate, True, tangents, slot)), reference)

    def test_obj(self):
        reference = self.reference()
        material = "newmtl plate\nKd 1 1 1\nKs 0 0 0\nmap_Kd base.png\n"
        model = self.write("plate.obj", obj(self.plate))
        self.write("plate.mtl", material)
        self.check_other(model, reference)
        for slot in ("norm", "map_Bump", "bump"):
            with self.subTest(slot=slot):
                self.write("plate.mtl", material + slot + " map.png\n")
                self.check_same(model, reference)

    def test_collada(self):
        reference = self.reference()
        self.check_other(self.write("plain.dae", collada(self.plate, False)), reference)
        self.check_same(self.write("mapped.dae", collada(self.plate, True)), reference)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
