#!/usr/bin/env python3
"""Poses, bend ranges and the ragdoll in the window. Usage: viewer_pose_test.py SINEW."""
import json
import math
import subprocess

import window_driver
from window_driver import PATIENCE, read_png, WindowTest


class Pose(WindowTest):
    def saved_turn(self):
        """Of the lower arm, in a pose saved now, in degrees; and the file."""
        poses = lambda: set(self.folder.glob("sinew-arm-pose-*.json"))
        before = poses()

        def saved():
            self.keys("ctrl+alt+s")  # a dialog that is still closing does not hear it
            return poses() - before
        self.wait_until(saved, "no pose")
        file = max(poses() - before)
        turn = json.loads(file.read_text())["nodes"]["LowerArm"]["rotation"]
        return math.degrees(2 * math.acos(min(1, abs(turn[3])))), file

    def test_a_ring_turns_a_joint_and_the_pose_is_saved_and_opened(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end)
        degrees, file = self.saved_turn()
        self.assertGreater(degrees, 15)
        self.assertLess(degrees, 90)
        self.press_until("ctrl+z", lambda: self.saved_turn()[0] < 0.1, "not undone")
        self.keys("ctrl+y", "Delete")
        self.assertLess(self.saved_turn()[0], 0.1)
        self.keys("ctrl+p")
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", file.name)
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)
        self.assertAlmostEqual(self.saved_turn()[0], degrees, 2)
        self.assertEqual(self.quit(viewer), "")
        pictures = []
        for words in [[], ["--pose", file]]:
            picture = self.folder / f"{len(words)}.png"
            done = self.run_view("demo:arm", "--clip", "none", "--frames", 3, "--screenshot", picture,
                                 *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            pictures.append(read_png(picture)[2])
        changed = sum(a != b for p, q in zip(*pictures) for a, b in zip(p, q))
        self.assertGreater(changed, 2000)

    def test_a_slider_changes_the_weight_of_a_morph_target(self):
        viewer = self.start_view("view", "demo:flexing-arm", "--clip", "none", "--size", "1280x800")
        self.wait_for_title("flexing-arm - sinew")
        none = self.weights()
        self.assertEqual(set(none), {"biceps", "triceps", "forearm", "reach"})
        self.assertEqual(set(none.values()), {0})
        self.keys("shift+m")
        self.pause(0.5)
        # The slider of the first target begins where its grab is, the highest one.
        grabs = self.pixels_like((74, 144, 217), range(985, 1270))
        self.assertGreater(len(grabs), 20, "no slider")
        x, y = min(grabs, key=lambda p: p[1])
        self.drag((x + 3, y + 6), (x + 150, y + 6))
        self.xdotool("mousemove", "640", "600")
        changed = self.weights()
        self.assertGreater(changed["biceps"], 0.3)
        self.assertLess(changed["biceps"], 0.95)
        self.assertEqual([changed[n] for n in ("triceps", "forearm", "reach")], [0, 0, 0])
        self.keys("ctrl+z")
        self.assertEqual(self.weights(), none)
        self.keys("ctrl+y")
        self.assertEqual(self.weights(), changed)
        self.assertEqual(self.quit(viewer), "")

    def test_a_drag_is_taken_back(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end, meanwhile=["key", "Escape", "mousemove", *end])
        self.assertLess(self.saved_turn()[0], 0.1)
        def turned():  # the joint is selected as before
            self.drag(start, end)
            return self.saved_turn()[0] > 15
        self.wait_until(turned, "not turned")
        degrees, _ = self.saved_turn()
        start, end = self.along_a_ring()
        self.drag(start, end, meanwhile=["key", "ctrl+z"])
        self.assertAlmostEqual(self.saved_turn()[0], degrees, 3)
        self.press_until("ctrl+z", lambda: self.saved_turn()[0] < 0.1, "not undone")
        self.assertEqual(self.quit(viewer), "")

    def test_a_target_is_dragged_and_put_back(self):
        arm = {"name": "arm", "kind": "ik-two-bone", "root": "LeftUpperArm", "middle": "LeftLowerArm",
               "tip": "LeftHand", "target": [0.45, 1.1, 0.3]}
        viewer = self.start_layers([arm])
        hand = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["LeftUpperArm"]
        before = hand()
        self.keys("BackSpace")  # saving has held no pose; if it had, layers would wait
        tip = min(self.pixels_like(self.GREEN), key=lambda p: p[1])
        self.drag(tip, (tip[0], tip[1] - 60))
        layer, = self.saved_layers()
        x, y, z = layer["target"]
        self.assertEqual((round(x, 5), round(z, 5)), (0.45, 0.3))
        self.assertGreater(y, 1.15)
        self.assertNotEqual(hand(), before)
        self.keys("ctrl+z")
        layer, = self.saved_layers()
        self.assertEqual([round(v, 5) for v in layer["target"]], arm["target"])
        self.assertEqual(hand(), before)
        self.assertEqual(self.quit(viewer), "")

    def test_a_hand_reaches_by_turns_of_its_arm(self):
        viewer = self.start_view("demo:humanoid", "--clip", "none", "--show", "weights:LeftHand",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        self.keys("h", "a", "shift+k")  # arrows along the model's axes
        pose = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        before = pose()
        tip = min(self.pixels_like(self.GREEN), key=lambda p: p[1])
        self.drag(tip, (tip[0], tip[1] - 60))
        after = pose()
        turned = {name for name in after if after[name]["rotation"] != before[name]["rotation"]}
        self.assertEqual(turned, {"LeftUpperArm", "LeftLowerArm"})
        for name in after:
            self.assertEqual(after[name]["translation"], before[name]["translation"])
        self.assertEqual(self.quit(viewer), "")

    def test_a_model_falls_comes_back_and_its_fall_is_exported(self):
        viewer = self.start_view("view", "demo:humanoid", "--clip", "walk")
        self.wait_for_title("humanoid - sinew")
        self.pause(1)

        def head():
            before = set(self.folder.glob("*-pose*.json"))
            self.keys("ctrl+alt+s")
            self.wait_until(lambda: set(self.folder.glob("*-pose*.json")) - before, "no pose")
            file, = set(self.folder.glob("*-pose*.json")) - before
            out = self.folder / "posed.obj"
            subprocess.run([window_driver.SINEW, "export", "demo:humanoid", "--pose", file, "-o", out, "--quiet"],
                           check=True, timeout=PATIENCE)
            return max(float(line.split()[2]) for line in out.read_text().splitlines()
                       if line.startswith("v "))

        self.assertGreater(head(), 1.6)
        self.keys("shift+y", "u")
        self.wait_until(lambda: self.pause(1) or head() < 1.1, "it does not fall")
        self.keys("shift+u")  # a ball
        self.pause(1)
        self.keys("ctrl+shift+e")
        self.wait_until(lambda: list(self.folder.glob("*-ragdoll*.glb")), "no recording")
        fallen, = self.folder.glob("*-ragdoll*.glb")
        info = json.loads(subprocess.run([window_driver.SINEW, "info", fallen, "--json"], capture_output=True,
                                         text=True, timeout=PATIENCE).stdout)
        self.assertEqual([c["name"] for c in info["clips"]], ["ragdoll"])
        self.assertGreater(info["clips"][0]["seconds"], 0.5)
        self.keys("u")
        self.wait_until(lambda: self.pause(1) or head() > 1.6, "it does not come back")
        self.assertEqual(self.unsaved_quit(viewer), "")  # the recorded fall

    def test_a_zone_is_dragged_saved_and_read(self):
        viewer = self.start_arm("--method", "arc-spline")
        self.keys("z")
        ring = self.pixels_like((84, 214, 226))
        self.assertGreater(len(ring), 40, "no rings")
        start = max(ring)
        self.drag(start, (start[0] + 60, start[1]))
        self.keys("ctrl+alt+z")
        file = self.folder / "arm.zones.json"
        self.wait_until(file.exists, "no zones")
        zone = json.loads(file.read_text())["joints"]["LowerArm"]
        self.assertEqual(list(zone), ["max"])
        self.assertGreater(zone["max"], 0.05)
        self.keys("ctrl+z")
        self.keys("ctrl+alt+z")
        self.wait_until(lambda: not json.loads(file.read_text())["joints"], "not undone")
        self.assertEqual(self.quit(viewer), "")
        file.write_text('{"sinew": "zones", "joints": {"LowerArm": {"max": 0}}}')
        done = self.run_view("demo:arm", "--zones", file, "--frames", 2)
        self.assertEqual(done.returncode, 3)
        self.assertIn("'max' of joint 'LowerArm'", done.stderr)


if __name__ == "__main__":
    window_driver.main()
