#!/usr/bin/env python3
"""Pictures and films on the command line. Usage: cli_pictures_test.py SINEW."""
import json
import os
import shutil
import struct
import subprocess
import unittest
import zlib

import command_line
import window_driver
from command_line import CommandLine, png_size, sinew


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


class Pictures(CommandLine):
    def test_textures_are_decoded_where_they_are_shown(self):
        (self.dir / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                                        "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\n")
        (self.dir / "a.mtl").write_text("newmtl a\nmap_Kd a.png\n")
        whole = self.dir / "whole.png"
        sinew("render", "demo:arm", "--size", "64x64", "-o", whole)
        (self.dir / "a.png").write_bytes(whole.read_bytes()[:200])
        render = ["render", self.dir / "a.obj", "--size", "64x64", "-o", self.dir / "b.png"]
        for words, warns in [[["info", self.dir / "a.obj", "--fail-on", "warning"], True],
                             [["info", self.dir / "a.obj"], False], [render, True],
                             [[*render, "--show", "no-textures"], False],
                             [[*render, "--show", "bone-colors"], False],
                             [[*render, "--method", "lbs,dqs", "--difference", "lbs"], True]]:
            run = sinew(*words)
            self.assertEqual(run.returncode, 1 if "--fail-on" in words else 0, run.stderr)
            self.assertEqual("is damaged" in run.stdout + run.stderr, warns, words)

    def test_pages_are_written_and_described(self):
        """What browsers show of them, page_test.py checks."""
        out = self.dir / "a.html"
        words = ["page", "demo:flexing-arm", "--method", "lbs,dqs", "--fps", "2", "--texture-limit", "16"]
        for clips, count in [([], 1), (["--clip", "all"], None), (["--clip", "none", "--clip", "bind"], 2)]:
            run = sinew(*words, *clips, "-o", out, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            page = json.loads(run.stdout)
            self.assertEqual(page["bytes"], len(out.read_bytes()))
            if count is not None:
                self.assertEqual(page["clips"], count)
            self.assertIn("<summary>Numbers:", out.read_text())
        plain = sinew(*words, "--no-numbers", "--no-posing", "--exact", "-o", "-")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertNotIn("<summary>Numbers:", plain.stdout)
        self.assertTrue(plain.stdout.startswith("<!doctype html>"))
        self.fails(2, *words, "-o", self.dir / "a.txt", says=["HTML"])
        self.fails(3, *words, "--weights", "nobody.json", "-o", out, says=["nobody.json"])

    def test_samples_a_pixel(self):
        pictures = {}
        for samples in "", "1", "2", "4":
            out = self.dir / f"{samples}.png"
            more = ["--samples", samples] if samples else []
            run = sinew("render", "demo:arm", "--size", "64x64", "-o", out, *more)
            self.assertEqual(run.returncode, 0, run.stderr)
            pictures[samples] = out.read_bytes()
        self.assertNotEqual(pictures["1"], pictures["4"])
        report = json.loads(sinew("doctor", "--json").stdout)
        if "llvmpipe" in json.dumps(report):
            self.assertEqual(pictures[""], pictures["4"])
        self.fails(2, "render", "demo:arm", "--samples", "9", "-o", out, says=["samples"])

    def test_render_draws_something_and_leaves_nothing_else(self):
        out = self.dir / "a.png"
        run = sinew("render", "demo:humanoid", "--time", "0.3", "--size", "320x200", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(png_size(out), (320, 200))
        self.assertEqual([p.name for p in self.dir.iterdir()], ["a.png"])

    def test_every_method_and_palette_gives_a_picture_like_the_first(self):
        reference = {}
        for method in ["rigid", "lbs"]:
            for palette in ["texture", "storage-buffer", "block", "uniform-array"]:
                out = self.dir / f"{method}-{palette}.png"
                words = ["render", "demo:humanoid", "--clip", "walk", "--time", "0.3", "--size",
                         "240x240", "--method", method, "--palette", palette, "-o", out]
                if method in reference:
                    words += ["--reference", reference[method], "--threshold", "0.001"]
                run = sinew(*words)
                self.assertEqual(run.returncode, 0, run.stderr)
                reference.setdefault(method, out)

    def test_pictures_are_the_same_whatever_skins(self):
        words = ["render", "demo:humanoid", "--clip", "walk", "--time", "0.3", "--size", "360x240",
                 "--method", "lbs,arc-spline,cor", "--ghosts", "2"]
        reference = self.dir / "shader.png"
        run = sinew(*words, "-o", reference)
        self.assertEqual(run.returncode, 0, run.stderr)
        def chosen(skin_on):
            run = sinew(*words, "--skin-on", skin_on, "-o", self.dir / f"{skin_on}.png",
                        "--reference", reference, "--threshold", "0.001",
                        env=dict(os.environ, XDG_CACHE_HOME=str(self.dir)))
            self.assertEqual(run.returncode, 0, run.stderr)
            return [line.split()[2:5] for line in run.stderr.splitlines()
                    if line.startswith("skin-on auto: ")]

        for skin_on in ["cpu", "compute"]:
            self.assertEqual(chosen(skin_on), [])
        first, again = chosen("auto"), chosen("auto")
        self.assertEqual(len(first), 3)
        self.assertEqual([way[:2] for way in again], [way[:2] for way in first])
        self.assertEqual([way[2] for way in again], ["(measured"] * 3)

    def test_a_reference_that_differs_is_code_1_with_a_picture_of_it(self):
        a, b = self.dir / "a.png", self.dir / "b.png"
        sinew("render", "demo:arm", "--clip", "none", "--size", "200x200", "-o", a)
        run = sinew("render", "demo:arm", "--time", "0.8", "--size", "200x200", "-o", b,
                    "--reference", a, "--threshold", "0.01")
        self.assertEqual(run.returncode, 1)
        self.assertTrue((self.dir / "b.difference.png").exists())

    def test_a_reference_is_a_png_of_the_pictures_size(self):
        size = (1 << 14, 1 << 14)
        header = struct.pack(">IIBBBBB", *size, 8, 6, 0, 0, 0)
        large = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0"))
        pixels = bytes(3 * 200 * 200)  # a picture in another format
        for name, data, code, words in [
                ("large.png", large + chunk(b"IEND", b""), 2, "16384x16384"),
                ("a.ppm", b"P6 200 200 255\n" + pixels, 3, "no PNG")]:
            (self.dir / name).write_bytes(data)
            run = sinew("render", "demo:arm", "--size", "200x200", "-o", self.dir / "b.png",
                        "--reference", self.dir / name)
            self.assertEqual(run.returncode, code, run.stderr)
            self.assertIn(words, run.stderr)

    def test_methods_side_by_side(self):
        out = self.dir / "a.png"
        run = sinew("render", "demo:humanoid", "--method", "lbs,lbs", "--clip", "wave", "--time",
                    "1", "--size", "203x150", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        width, height, rows = window_driver.read_png(out)
        self.assertEqual((width, height), (203, 150))
        left = [row[:100] for row in rows]
        self.assertTrue(left == [row[102:202] for row in rows], "the views differ")
        self.assertGreater(len({p for row in left for p in row}), 100)

    def test_a_sequence_and_a_reference_of_several_methods(self):
        words = ["render", "demo:arm", "--clip", "elbow-twist", "--method",
                 "lbs,arc-spline:attachments=1", "--size", "160x120"]
        run = sinew(*words, "--frames", "2", "--fps", "2", "-o", self.dir / "seq")
        self.assertEqual(run.returncode, 0, run.stderr)
        frames = sorted((self.dir / "seq").iterdir())
        self.assertEqual([png_size(f) for f in frames], [(160, 120)] * 2)
        out = self.dir / "a.png"
        self.assertEqual(sinew(*words, "--time", "1", "-o", out).returncode, 0)
        run = sinew(*words, "--time", "1", "-o", self.dir / "b.png", "--reference", out, "--json")
        self.assertEqual((run.returncode, json.loads(run.stdout)["changed"]), (0, 0))

    def test_difference(self):
        words = ["render", "demo:humanoid", "--clip", "wave", "--time", "1", "--size", "200x200",
                 "--json", "-o", self.dir / "a.png", "--method", "lbs,arc-spline,lbs"]
        run = sinew(*words, "--difference", "lbs")
        self.assertEqual(run.returncode, 0, run.stderr)
        difference = json.loads(run.stdout)["difference"]
        self.assertEqual(difference["from"], "lbs")
        self.assertEqual([v["method"] for v in difference["views"]], ["lbs", "arc-spline", "lbs"])
        for same in (0, 2):
            self.assertEqual(difference["views"][same]["largest_percent"], 0)
        other = difference["views"][1]
        self.assertTrue(0.1 < other["largest_percent"] < 5, other)
        self.assertTrue(0 < other["mean_percent"] < other["largest_percent"], other)
        self.fails(2, *words, "--difference", "lbs", "--show", "weights:Hips", says=["--difference"])
        self.fails(2, *words, "--difference", "lbs,dqs", says=["one method"])
        self.fails(2, *words, "--difference", "magic", says=["magic", "lbs"])

    def test_light_from_a_picture(self):
        sky, square = self.dir / "sky.hdr", self.dir / "square.hdr"
        above, below = bytes([40, 80, 200, 130]), bytes([200, 60, 20, 124])

        def write(file, width, height):
            file.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width)
                             + above * (width * height // 2) + below * (width * height // 2))
        write(sky, 64, 32)
        write(square, 32, 32)
        out = self.dir / "a.png"
        render = ["render", "demo:arm", "--size", "96x64", "--no-textures", "-o", out]
        blue = {}  # by method: how blue the middle column of the arm is, from above to below
        for method in "lbs", "dqs", "arc-spline":
            run = sinew(*render, "--method", method, "--light-from", sky)
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = window_driver.read_png(out)[2]
            blue[method] = [p[2] - p[0] for row in rows for p in row if max(p) - min(p) > 40]
            self.assertGreater(len(blue[method]), 100)
            self.assertGreater(max(blue[method]), 60)
        self.fails(3, *render, "--light-from", square, says=["square.hdr", "twice as wide"])
        self.fails(3, *render, "--light-from", self.dir / "none.hdr", says=["none.hdr"])

    def test_lists_of_methods_that_cannot_be_shown(self):
        render = ["render", "demo:arm", "-o", self.dir / "a.png", "--method"]
        self.fails(2, *render, "lbs,magic", says=["magic", "lbs"])
        self.fails(2, *render, "lbs,", says=["'lbs,'"])
        self.fails(2, *render, "lbs:attachments=9", says=["attachments"])
        self.fails(2, *render, ",".join(["lbs"] * 7), "--size", "8x8", says=["--size"])
        self.fails(2, "export", "demo:arm", "-o", self.dir / "a.ply", "--method", "lbs,dqs",
                   says=["lbs,dqs", "one method", "render"])
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_a_sequence_of_pictures(self):
        run = sinew("render", "demo:tentacle", "--frames", "3", "--fps", "10", "--size", "64x64",
                    "-o", self.dir / "seq")
        self.assertEqual(run.returncode, 0, run.stderr)
        names = sorted(p.name for p in (self.dir / "seq").iterdir())
        self.assertEqual(names, ["0000.png", "0001.png", "0002.png"])
        self.assertNotEqual((self.dir / "seq/0000.png").read_bytes(),
                            (self.dir / "seq/0002.png").read_bytes())

    def test_a_film_holds_its_own_pictures_and_touches_no_others(self):
        render = ["render", "demo:arm", "--frames", "3", "--size", "32x32", "--json"]
        ragdoll = ["ragdoll", "demo:arm", "--seconds", "0.1", "--fps", "30", "--size", "32x32", "--json"]
        for words, name in (render, "100%d.gif"), (ragdoll, "fall.MP4"):
            place = self.dir / words[0]
            older = place / f"{name}.frames"
            older.mkdir(parents=True)
            (older / "0003.png").write_text("mine")
            run = self.film(*words, out=place / name)
            self.assertEqual(run.returncode, 0, run.stderr)
            report = json.loads(run.stdout)
            if words is render:
                self.assertEqual(report, {"file": str(place / name), "frames": 3, "fps": 30})
                self.assertEqual((place / name).read_text(), "3")
            else:
                self.assertEqual((place / name).read_text(), "4")  # both ends of a tenth of a second
            self.assertEqual((older / "0003.png").read_text(), "mine")
            self.assertEqual(sorted(p.name for p in place.iterdir()), sorted([name, older.name]))

    def test_a_film_that_fails_leaves_nothing(self):
        for words in ["render", "demo:arm", "--frames", "200"], ["ragdoll", "demo:arm", "--seconds", "0.1"]:
            place = self.dir / words[0]
            place.mkdir()
            (place / "broken.gif").write_text("older")
            run = self.film(*words, "--size", "32x32", "--quiet", out=place / "broken.gif")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn("ffmpeg could not write it ([fake] the disk is full)", run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)
            self.assertEqual([p.name for p in place.iterdir()], ["broken.gif"])
            self.assertEqual((place / "broken.gif").read_text(), "older")

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_film_by_ffmpeg_itself(self):
        out = self.dir / "50%-100%%.gif"
        run = sinew("render", "demo:arm", "--frames", "2", "--size", "32x32", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(out.read_bytes()[:6], b"GIF89a")

    def test_a_reference_is_of_one_picture(self):
        for out in ["a.gif", "folder"]:
            self.fails(2, "render", "demo:arm", "--frames", "2", "-o", self.dir / out, "--reference",
                       self.dir / "none.png", says=["--reference"])
            self.assertFalse((self.dir / out).exists())

    def test_endings_in_capitals(self):
        picture, model, pose = self.dir / "A.PNG", self.dir / "A.GLB", self.dir / "A.JSON"
        for words in [["render", "demo:arm", "--size", "32x32", "-o", picture],
                      ["export", "demo:arm", "-o", model], ["export", "demo:arm", "-o", pose]]:
            run = sinew(*words)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(png_size(picture), (32, 32))
        self.assertEqual(model.read_bytes()[:4], b"glTF")
        json.loads(pose.read_text())

    def test_a_picture_goes_to_the_standard_output(self):
        run = subprocess.run([command_line.SINEW, "render", "demo:arm", "--size", "64x48", "-o", "-"],
                             capture_output=True, timeout=120)
        self.assertEqual((run.returncode, run.stdout[:4]), (0, b"\x89PNG"), run.stderr)
        self.fails(2, "render", "demo:arm", "-o", "-", "--json", says=["standard output"])
        self.fails(2, "render", "demo:arm", "-o", "a.jpg", says=[".png"])


if __name__ == "__main__":
    command_line.main()
