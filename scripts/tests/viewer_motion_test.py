#!/usr/bin/env python3
"""Layers, keys and the time line in the window. Usage: viewer_motion_test.py SINEW."""
import json
import signal
import subprocess

import window_driver
from window_driver import ACCENT, PATIENCE, WindowTest


class Motion(WindowTest):
    def exported(self, *words):
        file = self.folder / "exported.json"
        subprocess.run([window_driver.SINEW, "export", "demo:humanoid", "--clip", "walk", *map(str, words), "-o", file],
                       check=True, timeout=PATIENCE)
        return json.loads(file.read_text())["nodes"]

    def assertSamePose(self, pose, nodes):
        for name, node in nodes.items():
            for part, values in node.items():
                for a, b in zip(values, pose["nodes"][name][part]):
                    self.assertAlmostEqual(a, b, 3, f"{name} {part}")

    def test_layers_are_opened_undone_and_saved_and_a_range_plays(self):
        layer_file = self.folder / "layers.json"
        layers = [{"name": "wave", "kind": "clip", "clip": "wave", "weight": 0.75,
                   "mask": ["RightShoulder"]}]
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": layers}))
        at = ["--time", "0.4"]
        plain, waved = self.exported(*at), self.exported(*at, "--layers", layer_file)
        self.assertNotEqual(plain, waved)
        viewer = self.start_view("demo:humanoid", "--clip", "walk", "--no-playing", *at)
        self.wait_for_title("humanoid - sinew")
        pose = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")
        self.assertSamePose(pose(), plain)
        self.keys("ctrl+p")
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", layer_file.name)
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)
        self.assertSamePose(pose(), waved)
        self.keys("ctrl+z")
        self.assertSamePose(pose(), plain)
        self.keys("ctrl+y")
        saved = self.saved("ctrl+l", "sinew-humanoid-layers-*.json")
        self.assertEqual(saved["layers"][0]["clip"], "wave")
        self.assertEqual(saved["layers"][0]["weight"], 0.75)
        self.keys("ctrl+z", "braceright", "Right")  # the range ends here: the next frame is its second
        self.assertSamePose(pose(), self.exported("--time", "0.025"))
        self.assertEqual(self.quit(viewer), "")

    def time_line(self):
        """Left, right and the middle row of the time line: its handles are the accent's colour."""
        rows = self.picture()
        accent = [(x, y) for y in range(740, 800) for x in range(1280)
                  if all(abs(c - w) < 12 for c, w in zip(rows[y][x], ACCENT))]
        self.assertGreater(len(accent), 20, "no handles")
        xs = [x for x, y in accent]
        ys = [y for x, y in accent if x in (min(xs), max(xs))]
        return min(xs), max(xs), (min(ys) + max(ys)) // 2

    def test_a_wave_is_keyed_in_eight_actions(self):
        viewer = self.start_view("demo:humanoid", "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        self.click(128, 375, "1")  # 1: the right upper arm
        self.keys("ctrl+n")  # 2: a new clip
        self.drag((654, 205), (640, 120))  # 3: up
        self.pause(0.5)
        self.click(500, 585, "1")  # 4: half a second later
        self.pause(0.5)
        self.drag((654, 205), (640, 150))  # 5: further
        self.pause(0.5)
        self.keys("shift+l", "space", "ctrl+s")  # 6, 7, 8: there and back, play, save
        saved = self.folder / "sinew-humanoid-001.glb"
        self.wait_until(saved.exists, "nothing is saved")
        self.pause(0.3)
        info = subprocess.run([window_driver.SINEW, "info", saved, "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        clips = {c["name"]: c for c in json.loads(info.stdout)["clips"]}
        self.assertEqual(clips["clip"]["channels"], 1)
        self.assertAlmostEqual(clips["clip"]["seconds"], 2.0, places=3)
        self.assertEqual(self.quit(viewer), "")

    def test_a_signal_keeps_unsaved_work_for_the_next_start(self):
        viewer = self.start_view("view", "demo:arm")
        self.wait_for_title("arm - sinew")
        self.keys("ctrl+shift+d", "F12")  # the clip again; the screenshot shows that it is there
        self.wait_until(lambda: list(self.folder.glob("*.png")), "no screenshot")
        viewer.send_signal(signal.SIGTERM)
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        kept, = (self.folder / "state/sinew").iterdir()
        self.assertEqual(viewer.stderr.read(), f"sinew: warning: unsaved work is in {kept}\n")
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertTrue((self.folder / "config/sinew/settings.json").exists())

        viewer = self.start_view("view", "demo:humanoid")
        self.wait_for_title("humanoid - sinew")
        self.keys("Return")  # Restore
        self.wait_for_title("arm - sinew")
        self.wait_until(lambda: not kept.exists(), "it is still offered")
        self.keys("ctrl+s")
        self.wait_until(lambda: list(self.folder.glob("*.glb")), "nothing is saved")
        saved, = self.folder.glob("*.glb")
        info = subprocess.run([window_driver.SINEW, "info", saved, "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(len(json.loads(info.stdout)["clips"]), 5)
        self.assertEqual(self.quit(viewer), "")

    def test_the_time_line_is_dragged(self):
        viewer = self.start_view("demo:humanoid", "--clip", "stretch", "--no-playing", "--time", "0.5",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        info = subprocess.run([window_driver.SINEW, "info", "demo:humanoid", "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        seconds, = (c["seconds"] for c in json.loads(info.stdout)["clips"] if c["name"] == "stretch")
        poses = {}  # the clip's, in steps that a pixel of the time line tells apart
        for i in range(101):
            poses[i / 100] = None

        def pose_at(share):
            share = round(share, 2)
            if poses[share] is None:
                file = self.folder / "at.json"
                subprocess.run([window_driver.SINEW, "export", "demo:humanoid", "--clip", "stretch", "--time",
                                str(share * seconds), "--no-loop", "-o", file], check=True, timeout=PATIENCE)
                poses[share] = json.loads(file.read_text())["nodes"]
            return poses[share]

        def apart(a, b):
            return max(abs(x - y) for name in b for x, y in zip(a[name]["rotation"], b[name]["rotation"]))

        def shown(share):
            """The pose comes to be that of this share of the clip, and no other of its tenths."""
            for _ in range(5):  # frames are slow on a busy machine
                now = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
                near = apart(now, pose_at(share))
                if near < 0.02:
                    break
                self.pause(0.5)
            self.assertLess(near, 0.02, share)
            self.assertLess(near, 0.5 * apart(now, pose_at(share - 0.1)), share)

        left, right, y = self.time_line()
        self.assertGreater(right - left, 600)
        place = lambda share: (round(left + share * (right - left)), y)
        self.click(*place(0.4), "1")
        shown(0.4)
        self.drag(place(0.4), place(0.6))
        shown(0.6)
        self.drag(place(0.3), (1279, y - 200))  # the mouse may leave the line and the end
        shown(1.0)
        # The range's ends, and the time that stays between them.
        self.drag(place(1.0), place(0.7))
        shown(0.7)
        self.click(*place(0.9), "1")
        shown(0.7)
        self.drag(place(0.0), place(0.2))
        self.click(*place(0.1), "1")
        shown(0.2)
        self.assertGreater(self.time_line()[0], left + 0.15 * (right - left))
        self.drag(place(0.2), place(0.95))  # never beyond the other end
        shown(0.7)
        self.click(*place(0.5), "3")  # all of the clip again
        self.click(*place(0.9), "1")
        shown(0.9)
        # A frame forth and back, and from key to key.
        self.keys("Home", "Right", "Right", "Left")
        one = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        self.keys("Home", "greater")
        key = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        self.assertLess(apart(one, key), 1e-5)  # the clip has a key at every frame
        self.keys("greater", "less")
        self.assertLess(apart(one, self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]), 1e-5)
        self.assertGreater(apart(one, pose_at(0.5)), 0.02)
        self.assertEqual(self.quit(viewer), "")

    def test_a_range_plays_to_and_fro(self):
        viewer = self.start_view("demo:humanoid", "--clip", "stretch", "--no-playing", "--time", "0",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        left, right, y = self.time_line()
        self.drag((right, y), (round(left + 0.1 * (right - left)), y))
        self.keys("shift+l", "space")
        self.pause(1.5)
        self.keys("space")
        self.pause(0.3)
        now = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["LeftUpperArm"]["rotation"]

        def off(at):
            file = self.folder / "at.json"
            subprocess.run([window_driver.SINEW, "export", "demo:humanoid", "--clip", "stretch", "--time", str(at), "-o",
                            file], check=True, timeout=PATIENCE)
            pose = json.loads(file.read_text())["nodes"]["LeftUpperArm"]["rotation"]
            return max(abs(a - b) for a, b in zip(now, pose))

        self.assertLess(min(off(0.06 * i) for i in range(11)), 0.03)  # the clip has 6 s
        self.assertEqual(self.quit(viewer), "")
        self.assertTrue(self.settings()["ping-pong"])

    def test_layers_stay_when_a_motion_is_put_on_the_model(self):
        layer_file = self.folder / "layers.json"
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": [
            {"name": "nod", "kind": "formula", "joint": "Head", "axis": [1, 0, 0], "formula": "20"}]}))
        motion = self.folder / "motion.glb"
        subprocess.run([window_driver.SINEW, "export", "demo:humanoid", "-o", motion, "--quiet"], check=True,
                       timeout=PATIENCE)
        viewer = self.start_view("demo:humanoid", "--clip", "walk", "--no-playing")
        self.wait_for_title("humanoid - sinew")
        self.type_name("ctrl+p", layer_file.name)
        layers = lambda: self.saved("ctrl+l", "sinew-humanoid-layers-*.json")["layers"]
        before = layers()
        self.assertEqual([l["name"] for l in before], ["nod"])
        self.type_name("ctrl+m", motion.name)
        self.pause(3)
        self.assertEqual(layers(), before)
        pose = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["Head"]["rotation"]
        self.assertGreater(abs(pose[0]), 0.1)  # and they move it
        self.assertEqual(self.quit(viewer), "")

    def test_layers_stay_when_the_model_is_bound_anew(self):
        self.write_tube()
        layer_file = self.folder / "layers.json"
        bend = {"kind": "formula", "axis": [1, 0, 0], "formula": "20"}
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b")
        self.saved_within(3)
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": [
            {"name": "first", "joint": "joint1", **bend}, {"name": "second", "joint": "joint2", **bend},
            {"name": "tip", "joint": "joint3", **bend}]}))
        self.type_name("ctrl+p", layer_file.name)
        names = lambda: [l["name"] for l in self.saved("ctrl+l", "sinew-tube-layers-*.json")["layers"]]
        self.assertEqual(names(), ["first", "second", "tip"])
        self.keys("ctrl+b")
        self.pause(3)
        self.assertEqual(names(), ["first", "second", "tip"])
        (self.folder / "short.tgf").write_text("1 0 0 0\n2 0 1 0\n#\n1 2\n")
        self.choose_skeleton("short.tgf")
        self.keys("ctrl+b")
        self.saved_within(2)
        self.assertEqual(names(), ["first", "second"])
        self.assertEqual(self.quit(viewer), "")

    def test_layers_change_places_and_are_masked_added_and_removed(self):
        layers = [{"name": "low", "kind": "clip", "clip": "wave"},
                  {"name": "high", "kind": "breathing", "chest": "Chest"}]
        viewer = self.start_layers(layers)
        names = lambda: [layer["name"] for layer in self.saved_layers()]

        # The panel is as wide and its rows as high whatever it shows.
        click = lambda x, y: self.click(x, y, "1")
        self.assertEqual(names(), ["low", "high"])
        click(1033, 394)  # Up, of the lowest, which is chosen at first
        self.assertEqual(names(), ["high", "low"])
        click(1123, 394)  # Down
        self.assertEqual(names(), ["low", "high"])
        click(1213, 394)  # Remove
        self.assertEqual(names(), ["high"])
        click(1123, 394)  # Add a layer, one row higher now: a list opens
        click(1160, 426)
        self.assertEqual(len(names()), 2)
        self.keys("ctrl+z", "ctrl+z")
        self.assertEqual(names(), ["low", "high"])
        self.assertEqual(self.quit(viewer), "")


if __name__ == "__main__":
    window_driver.main()
