#!/usr/bin/env python3
"""Posed vertices of FBX files against a second reading (fbx_reference.py), at keys and between them.

Usage: fbx_test.py SINEW. On the models of ../shared/models and of Debian's assimp-testmodels where
they are.
"""
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

from fbx_reference import Fbx, largest_gap

SINEW = ""
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models"
DEBIAN = Path("/usr/share/assimp/models/FBX")
TOLERANCE = 1e-5  # of the model's size
SECONDS = (0.0, 0.1234, 0.3517)

# Files with Y up; stacks by number.
MODELS = [
    (SHARED / "male_suit/Male_Suit.fbx", [3, 7]),
    (SHARED / "zombie/ZombieSmooth.fbx", [1, 4]),
    (SHARED / "kenney_character/kenney_character.fbx", [0]),
    (SHARED / "dq_weights/maya_dq_weights.fbx", [0]),
    (SHARED / "ufbx_cases/motionbuilder_sausage_rrss_7700_ascii.fbx", [0]),
    (SHARED / "ufbx_cases/maya_game_sausage_7500_binary_combined.fbx", [0, 1, 2]),
    (SHARED / "ufbx_cases/maya_transformed_skin_7700_ascii.fbx", [0]),
    (DEBIAN / "huesitos.fbx", [0]),
    (DEBIAN / "animation_with_skeleton.fbx", [0]),
]


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def read_points(path):
    data = path.read_bytes()
    header, body = data.split(b"end_header\n", 1)
    count = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    return list({struct.unpack_from("<3f", body, 32 * i) for i in range(count)})


def png_of_pixel(*rgba):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" + bytes(rgba))) + chunk(b"IEND", b""))


def pixel_of_png(data):
    """Of an image of one pixel, which no filter changes; RGB or RGBA of 8 bits."""
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return tuple(zlib.decompress(packed)[1:])


def glb_parts(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


class FbxFiles(unittest.TestCase):
    def export(self, path, clip, time, *options):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "posed.ply"
            words = [SINEW, "export", path, "--quiet", "--influences", "12", "--clip", clip, "--no-loop", "--time", repr(time),
                     *options, "-o", out]
            run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
            self.assertEqual(run.returncode, 0, run.stderr)
            return read_points(out)

    def test_textures_of_a_physical_material(self):
        source = DEBIAN / "maxPbrMaterial_metalRough.fbx"
        if not source.exists():
            self.skipTest("assimp-testmodels is not there")
        images = {"albedo": (200, 90, 40, 255), "opacity": (128, 128, 128, 255), "metalness": (10, 10, 10, 255),
                  "roughness": (30, 30, 30, 255), "occlusion": (60, 60, 60, 255), "emission": (70, 80, 90, 255),
                  "normal": (128, 128, 255, 255)}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copy(source, folder / "box.fbx")
            (folder / "Textures").mkdir()
            for image, pixel in images.items():
                (folder / "Textures" / f"{image}.png").write_bytes(png_of_pixel(*pixel))
            # And through an FBX file of our own.
            for model, out in (("box.fbx", "a.glb"), ("box.fbx", "b.fbx"), ("b.fbx", "b.glb")):
                run = subprocess.run([SINEW, "export", folder / model, "--quiet", "-o", folder / out],
                                     capture_output=True, text=True, timeout=240)
                self.assertEqual(run.returncode, 0, run.stderr)
                if not out.endswith(".glb"):
                    continue
                document, binary = glb_parts(folder / out)
                material = document["materials"][0]

                def pixel(use):
                    view = document["bufferViews"][document["images"][
                        document["textures"][use["index"]]["source"]]["bufferView"]]
                    start = view.get("byteOffset", 0)
                    return pixel_of_png(binary[start:start + view["byteLength"]])

                surface = material["pbrMetallicRoughness"]
                self.assertEqual(pixel(surface["baseColorTexture"]), (200, 90, 40, 128))
                self.assertEqual(pixel(surface["metallicRoughnessTexture"])[1:3], (30, 10))
                self.assertEqual((surface["metallicFactor"], surface["roughnessFactor"]), (1, 1))
                self.assertEqual(pixel(material["occlusionTexture"])[0], 60)
                self.assertEqual(pixel(material["emissiveTexture"]), (70, 80, 90))
                self.assertEqual(pixel(material["normalTexture"]), (128, 128, 255))
                self.assertEqual(material["alphaMode"], "BLEND")
                self.assertEqual(material["emissiveFactor"], [1, 1, 1])

    def test_shared_models(self):
        for path, stacks in MODELS:
            if not path.exists():
                continue
            document = Fbx(path)
            for clip in stacks:
                for seconds in map(single, SECONDS):
                    with self.subTest(file=path.name, clip=clip, seconds=seconds):
                        expected = document.posed(document.stacks[clip], seconds)
                        self.assertLess(largest_gap(expected, self.export(path, clip, seconds)), TOLERANCE)


if __name__ == "__main__":
    SINEW = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
