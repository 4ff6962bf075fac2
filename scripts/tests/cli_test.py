#!/usr/bin/env python3
"""The command line as docs/cli.md promises it: usage, errors, files. Usage: cli_test.py SINEW."""
import json
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import command_line
from command_line import CommandLine, needs, ROOT, SHARED, sinew


def validated(files):
    """Errors and warnings of the Khronos glTF validator."""
    run = subprocess.run(["node", ROOT / "scripts" / "tests" / "gltf_validate.js", *files],
                         capture_output=True, text=True, timeout=240)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)


def gltf_validator():
    try:
        return validated(["--check"]) == []
    except (OSError, RuntimeError):
        return False


class Files(CommandLine):
    def test_a_model_from_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "arm.glb"
            self.assertEqual(sinew("export", "demo:arm", "-o", file, "--quiet").returncode, 0)
            run = subprocess.run([command_line.SINEW, "info", "-", "--json"], input=file.read_bytes(), capture_output=True,
                                 timeout=240)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["format"], "glTF binary")
        for bytes_, words in ((b"", "is empty"), (b"nonsense", "is not known")):
            run = subprocess.run([command_line.SINEW, "info", "-"], input=bytes_, capture_output=True, timeout=240)
            self.assertEqual(run.returncode, 3)
            self.assertIn(words, run.stderr.decode())

    def test_help_of_every_command(self):
        for command in ["view", "info", "render", "export", "zones", "compare", "bench", "figure",
                        "shader", "reference", "palette", "page", "weights", "ragdoll", "doctor", "completion", "man"]:
            run = sinew(command, "--help")
            self.assertEqual(run.returncode, 0)
            self.assertIn("Usage", run.stdout)
            self.assertNotIn("{false}", run.stdout)
        self.assertIn("Exit codes", sinew("--help").stdout)
        self.assertRegex(sinew("--version").stdout, r"^sinew \d+\.\d+")
        self.assertEqual(sinew("version").stdout, sinew("--version").stdout)
        version = json.loads(sinew("--version", "--json").stdout)["version"]
        self.assertEqual(sinew("--version").stdout.split(), ["sinew", version])
        listed = json.loads(sinew("info", "--list", "--json").stdout)
        self.assertEqual([each["name"] for each in listed],
                         [line.split()[0] for line in sinew("info", "--list").stdout.splitlines()])
        self.assertEqual(sinew("help").stdout, sinew("--help").stdout)
        self.assertEqual(sinew("help", "render").stdout, sinew("render", "--help").stdout)

    def test_usage_errors_are_one_line_and_code_2(self):
        self.fails(2, "rendr", "demo:arm", says=["rendr", "did you mean 'render'", "compare"])
        self.fails(2, "nosuchcommand", says=["command or file", "info"])
        self.fails(2, "render", "demo:arm")
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--method", "wrong",
                   says=["wrong", "lbs", "rigid"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--clip", "wrong",
                   says=["wrong"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.jpg", says=["a.jpg", ".png"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--size", "10by10",
                   says=["10by10"])
        for size in "4294967297x1", "100x", "x100", "100x100x", "-1x5":
            self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--size", size, says=[size])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "none" / "a.png", says=["none"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--show", "colour",
                   says=["colour", "skeleton"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--show", "weights:Nobody",
                   says=["Nobody"])
        self.fails(2, "info", "demo:nobody", says=["nobody", "humanoid"])
        self.fails(2, "bench", "--vertices", "0")
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_bench_import_times_readers_by_turns(self):
        model = self.dir / "a.obj"
        model.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        run = sinew("bench", "--import", model, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual([result["reader"] for result in report["results"]], ["sinew", "assimp"])
        self.assertGreaterEqual(report["rounds"], 3)
        for result in report["results"]:
            self.assertGreater(result["ms_min"], 0)
            self.assertLessEqual(result["ms_min"], result["ms_median"])
        self.fails(3, "bench", "--import", self.dir / "missing.obj", says=["missing.obj"])

    def test_bad_files_are_one_line_and_code_3(self):
        self.fails(3, "info", self.dir / "missing.fbx", says=["missing.fbx", "no such file"])
        self.fails(3, "info", self.dir, says=["folder"])
        self.bad("empty.x", b"")
        self.bad("text.glb", b"this is no model at all, only some words\n" * 10)
        self.bad("short.fbx", b"Kaydara FBX Binary  \x00\x1a\x00")
        self.bad("kind.xyzzy", b"unknown kind")
        self.bad("broken.gltf", b'{"asset": {"version": "2.0"}, "meshes": [')

    def test_a_pose_that_is_none_is_refused(self):
        pose = self.dir / "p.json"
        pose.write_text("{")
        self.fails(3, "render", "demo:arm", "--pose", pose, "-o", self.dir / "a.png",
                   says=["p.json", "JSON"])

    def test_no_file_outside_the_folder_of_a_model_reaches_the_output(self):
        corners = struct.pack("<9f", 0.5, 0.25, 0.125, 1.5, 0.25, 0.125, 0.5, 1.25, 0.125)
        with tempfile.TemporaryDirectory() as folder:
            pack = Path(folder) / "pack"
            pack.mkdir()
            (Path(folder) / "secret.bin").write_bytes(corners)
            (pack / "link.bin").symlink_to("../secret.bin")
            os.mkfifo(pack / "pipe.bin")
            model = pack / "m.gltf"

            def write(uri):
                model.write_text(json.dumps({
                    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
                    "bufferViews": [{"buffer": 0, "byteLength": 36}],
                    "buffers": [{"byteLength": 36, "uri": uri}]}))

            messages = set()
            for uri in "../secret.bin", "../gone.bin", "link.bin", "pipe.bin", "../" * 20 + "etc/passwd":
                write(uri)
                for name in "out.glb", "out.ply":
                    run = sinew("export", model, "-o", pack / name, timeout=60)
                    self.assertEqual(run.returncode, 3, run.stderr)
                    self.assertIn(f"'{uri}'", run.stderr)
                    self.assertFalse((pack / name).exists())
                    messages.add(run.stderr.replace(uri, "URI"))
            self.assertEqual(len(messages), 1, messages)  # they do not tell what is there
            # What lies in the folder is read, so the test could have found the bytes.
            (pack / "near.bin").write_bytes(corners)
            write("near.bin")
            self.assertEqual(sinew("export", model, "-o", pack / "out.glb").returncode, 0)
            self.assertIn(corners[:12], (pack / "out.glb").read_bytes())

    def test_a_time_limit_is_code_4(self):
        model = self.dir / "large.obj"
        corners = "".join(f"v {i % 500} {i // 500} 0\n" for i in range(200_000))
        triangles = "".join(f"f {i} {i + 1} {i + 500}\n" for i in range(1, 199_000))
        model.write_text(corners + triangles)
        self.fails(4, "info", model, "--time-limit", "0.01", says=["large.obj"])

    def test_info_json(self):
        run = sinew("info", "demo:body-arm", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        info = json.loads(run.stdout)
        for key in ["model", "format", "meshes", "vertices", "triangles", "joints", "clips",
                    "textures", "repairs", "warnings"]:
            self.assertIn(key, info)
        self.assertEqual(info["vertices"], 12864)
        self.assertEqual(info["repairs"], [])
        for key in ["name", "vertices", "triangles", "skinned", "joints", "max_influences"]:
            self.assertIn(key, info["meshes"][0])

    @needs("wuson/Testwuson.X")
    def test_info_of_a_real_file(self):
        info = json.loads(sinew("info", SHARED / "wuson/Testwuson.X", "--json").stdout)
        self.assertEqual({c["name"] for c in info["clips"]}, {"Wuson_Run", "Wuson_Walk", "Wuson_Bind"})
        self.assertEqual(info["triangles"], 3732)

    def test_every_kind_of_export_is_reported_as_json(self):
        model, pose = self.dir / "a.glb", self.dir / "a.json"
        report = json.loads(sinew("export", "demo:humanoid", "-o", model, "--json").stdout)
        self.assertEqual(report["file"], str(model))
        info = json.loads(sinew("info", model, "--json").stdout)
        self.assertEqual(info["model"], str(model))  # what is read; "file" is what is written
        self.assertNotIn("file", info)
        self.assertEqual(json.loads(sinew("zones", model, "--json").stdout)["model"], str(model))
        for key in "vertices", "triangles", "joints":
            self.assertEqual(report[key], info[key], key)
        self.assertEqual(report["clips"], len(info["clips"]))
        self.assertEqual(report["left_out"], [])
        report = json.loads(sinew("export", "demo:arm", "--time", "1", "-o", pose, "--json").stdout)
        nodes = json.loads(sinew("info", "demo:arm", "--json").stdout)["nodes"]
        self.assertEqual(report, {"file": str(pose), "nodes": nodes})

    def test_obj(self):
        out = self.dir / "a.obj"
        self.assertEqual(sinew("export", "demo:arm", "-o", out).returncode, 0)
        lines = out.read_text().splitlines()
        info = json.loads(sinew("info", "demo:arm", "--json").stdout)
        self.assertEqual(sum(l.startswith("v ") for l in lines), info["vertices"])
        self.assertEqual(sum(l.startswith("f ") for l in lines), info["triangles"])

    def test_info_fails_on_what_it_is_told_to(self):
        model = self.dir / "a.glb"
        sinew("export", "demo:arm", "-o", model)
        self.assertEqual(sinew("info", model, "--fail-on", "repair").returncode, 0)
        broken = self.dir / "a.obj"  # two corners of a triangle are one
        broken.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n")
        said = json.loads(sinew("info", broken, "--json").stdout)
        for word, wanted in (("warning", bool(said["warnings"])),
                             ("repair", bool(said["warnings"] or said["repairs"]))):
            self.assertEqual(sinew("info", broken, "--fail-on", word).returncode, int(wanted), said)
        self.assertTrue(said["repairs"], said)

    @unittest.skipUnless(gltf_validator(), "needs node and npm's gltf-validator (NODE_PATH)")
    def test_gltf_is_valid(self):
        files = []
        models = ["demo:humanoid", "demo:arm", "demo:body-arm-splines"]
        models += [SHARED / m for m in ["tiny/tiny.x", "kaykit_knight/Knight.glb", "fox/Fox.glb",
                                        "redeclipse_hands/hud_hands.md5mesh",
                                        "zombie/ZombieSmooth.fbx"] if (SHARED / m).exists()]
        for model in models:
            files.append(self.dir / f"{len(files)}.glb")
            run = sinew("export", model, "-o", files[-1], "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
        for influences in [3, 7]:
            files.append(self.dir / f"{len(files)}.glb")
            run = sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "--fit",
                        "--influences", influences, "-o", files[-1])
            self.assertEqual(run.returncode, 0, run.stderr)
        # Knight has a skinned mesh below a node, and a glTF keeps its nodes.
        self.assertEqual([f for f in validated(files) if f["code"] != "NODE_SKINNED_MESH_NON_ROOT"], [])
        # The validator does find faults.
        broken = bytearray(files[0].read_bytes())
        at = broken.find(b"JOINTS_0")
        broken[at:at + 8] = b"JOINTS_1"
        files[0].write_bytes(broken)
        self.assertNotEqual(validated(files[:1]), [])

    def test_export_warns_of_more_joints_than_engines_use(self):
        seven = self.dir / "seven.glb"
        run = sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "--fit", "--influences", 7, "-o", seven)
        self.assertEqual(run.returncode, 0, run.stderr)
        four = self.dir / "four.glb"
        run = sinew("reduce", seven, "--influences", 4, "-o", four)
        self.assertEqual(run.returncode, 0, run.stderr)
        for model, most, count in [(seven, 7, 1), (four, 4, 0)]:
            out = self.dir / "out.glb"
            run = sinew("export", model, "-o", out, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            warnings = json.loads(run.stdout)["warnings"]
            self.assertEqual(len(warnings), count, warnings)
            self.assertEqual(run.stderr.count("warning: "), count, run.stderr)
            self.assertTrue(all("more than 4 joints" in line for line in warnings), warnings)
            meshes = json.loads(sinew("info", out, "--json").stdout)["meshes"]
            self.assertEqual(max(mesh["max_influences"] for mesh in meshes), most)

    def test_doctor(self):
        run = sinew("doctor", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        doctor = json.loads(run.stdout)
        self.assertTrue(any(c["works"] for c in doctor["contexts"]))
        # Whether all hold is the kernel's; that they are tried, and that readers can work, is ours.
        held = {check["name"]: check["holds"] for check in doctor["sandbox"]}
        self.assertLessEqual({"network", "processes", "writing", "reading elsewhere"}, set(held))
        self.assertTrue(held["threads"] and held["reading"] and held["limits"])
        text = sinew("doctor").stdout
        for context in doctor["contexts"]:
            if context["works"]:
                self.assertIn(f"{context['kind']} {context['device']}: {context['renderer']}", text)
                self.assertIn(context["version"], text)
        for name, holds in held.items():
            self.assertIn(f"  {'yes' if holds else 'NO '} {name}: ", text)
        for line in doctor["advice"]:
            self.assertIn(line, text)
        # Nothing installed, no display and no renderer.
        bare = {"PATH": str(self.dir), "DISPLAY": "", "WAYLAND_DISPLAY": "",
                "__EGL_VENDOR_LIBRARY_FILENAMES": str(self.dir / "none.json")}
        text = sinew("doctor", env={**os.environ, **bare}).stdout
        for words in "ffmpeg: not installed", "Films need ffmpeg", "No renderer was found":
            self.assertIn(words, text)

    def test_info_as_text(self):
        demos = sinew("info", "--list").stdout.splitlines()
        self.assertIn("demo:humanoid", [line.split()[0] for line in demos])
        self.fails(2, "info", says=["MODEL"])
        words = ["info", "demo:arm", "--subdivide", "LowerArm=1:3"]
        text = sinew(*words).stdout
        new = json.loads(sinew(*words, "--json").stdout)["subdivided_vertices"]
        self.assertGreater(new, 0)
        self.assertIn(f"subdivided: {new} of the vertices are new", text)
        zones = self.dir / "zones.json"
        self.assertEqual(sinew("zones", "demo:body-arm", "-o", zones).returncode, 0)
        self.assertIn(f", from {zones}", sinew("info", "demo:body-arm", "--zones", zones).stdout)
        heavy = self.dir / "heavy.json"
        glb = self.dir / "tentacle.glb"
        self.assertEqual(sinew("export", "demo:tentacle", "-o", glb).returncode, 0)
        bytes_ = glb.read_bytes()
        gltf = json.loads(bytes_[20:20 + int.from_bytes(bytes_[12:16], "little")])
        joints = [gltf["nodes"][j]["name"] for j in gltf["skins"][0]["joints"]]
        vertices = json.loads(sinew("info", "demo:tentacle", "--json").stdout)["vertices"]
        heavy.write_text(json.dumps({"joints": joints,
                                     "weights": [[[j, 1 / 14] for j in range(14)]] * vertices}))
        text = sinew("info", "demo:tentacle", "--weights", heavy).stdout
        self.assertIn("vertices by influences:", text)
        self.assertIn(f"{vertices} have more than 12", text)
        self.assertIn("influences a vertex leave out", text)
        self.assertIn("motion of", sinew("info", "demo:tentacle", "--motion", glb).stdout)

    def test_documents_list_the_methods_and_shaders_there_are(self):
        run = subprocess.run([os.path.join(ROOT, "scripts", "document"), command_line.SINEW, "--check"],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    command_line.main()
