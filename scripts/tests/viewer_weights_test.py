#!/usr/bin/env python3
"""Painting, free splines and binding in the window. Usage: viewer_weights_test.py SINEW."""
import json
import math
import subprocess

import window_driver
from window_driver import PATIENCE, read_png, WindowTest


def navy(color):
    """A weight of zero by the colours that suit colour-blind eyes, whatever its shading."""
    red, green, blue = color
    return 40 < blue < 150 and blue > 1.8 * max(red, green)


class Weights(WindowTest):
    def saved_weights(self, file):
        """Saved now: per vertex {joint: weight}."""
        stamp = file.stat().st_mtime_ns if file.exists() else 0
        self.keys("ctrl+shift+w")
        self.wait_until(lambda: file.exists() and file.stat().st_mtime_ns != stamp, "nothing saved")
        saved = json.loads(file.read_text())
        return [{saved["joints"][j]: w for j, w in vertex} for vertex in saved["weights"]]

    def test_a_stroke_is_painted_undone_done_again_saved_and_read(self):
        model = self.folder / "arm.glb"
        done = subprocess.run([window_driver.SINEW, "export", "demo:arm", "-o", model], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = self.folder / "arm.glb.weights.json"
        viewer = self.start_view(model, "--clip", "none", "--show", "weights:UpperArm", "--size", "1280x800",
                                 "--yaw", "20", "--pitch", "30", "--colormap", "safe")
        self.wait_for_title("arm - sinew")
        self.keys("q")
        self.pause(0.5)
        before = self.saved_weights(file)
        plain = self.picture()
        columns = {}  # the forearm: navy, for none of it is the upper arm's
        for y in range(100, 600):
            for x in range(300, 950):
                if navy(plain[y][x]):
                    columns.setdefault(x, []).append(y)
        xs = sorted(x for x in columns if x > 600 and len(columns[x]) > 20)
        middle_of = lambda x: (x, columns[x][len(columns[x]) // 2])
        self.drag(middle_of(xs[len(xs) // 5]), middle_of(xs[len(xs) // 2]))
        painted = self.saved_weights(file)
        shown = self.picture()
        changed = [v for v, (a, b) in enumerate(zip(before, painted)) if a != b]
        self.assertGreater(len(changed), 10)
        self.assertLess(len(changed), 0.8 * len(before))
        self.assertTrue(all(painted[v]["UpperArm"] > before[v].get("UpperArm", 0) for v in changed))
        self.assertTrue(all(abs(sum(vertex.values()) - 1) < 1e-5 for vertex in painted))
        middle = [(x, y) for y in range(100, 600) for x in range(300, 950)]
        self.assertGreater(sum(plain[y][x] != shown[y][x] for x, y in middle), 500)
        self.keys("ctrl+z")
        self.assertEqual(self.saved_weights(file), before)
        self.keys("ctrl+y")
        # The file has the previous weights: painted changes are not discarded without a question.
        other = self.folder / "other.glb"
        other.write_bytes(model.read_bytes())
        self.keys("ctrl+q")
        self.pause(1)
        self.keys("Escape")
        self.type_name("ctrl+o", other.name)
        self.pause(1)
        self.keys("Escape")
        self.assertIsNone(viewer.poll(), "not asked")
        self.assertEqual(self.saved_weights(file), painted)
        self.keys("ctrl+z")  # the file still has the stroke, so this is unsaved too
        self.type_name("ctrl+o", other.name)
        self.pause(1)
        self.keys("Escape")
        self.assertTrue(self.xdotool("search", "--name", "^arm - sinew$").stdout, "not asked")
        self.keys("ctrl+y")  # as in the file: opened at once
        self.type_name("ctrl+o", other.name)
        self.wait_for_title("other - sinew")
        self.assertEqual(self.quit(viewer), "")
        info = subprocess.run([window_driver.SINEW, "info", model], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("arm.glb.weights.json", info.stdout)
        viewer = self.start_view(model, "--clip", "none")
        self.wait_for_title("arm - sinew")
        self.assertEqual(self.saved_weights(file), painted)
        self.assertEqual(self.quit(viewer), "")

    def test_spline_weights_are_painted_and_look_as_the_saved_ones_do(self):
        file = self.folder / "body-arm-splines.weights.json"
        pictures = []
        for words in [[], ["--weights", file]]:
            viewer = self.start_view("demo:body-arm-splines", "--clip", "0", "--time", "2", "--no-playing",
                                     "--method", "arc-spline,lbs", "--show", "weights:ArmStart", "--size",
                                     "1280x800", "--colormap", "safe", *words)
            self.wait_for_title("body-arm-splines - sinew")
            self.keys("shift+q")
            self.pause(6.5)  # until the last toast has gone
            pictures.append(self.picture())
            if not words:
                columns = {}  # the body in the upper view: navy, for none of it is the arm's
                for y in range(60, 350):
                    for x in range(300, 950):
                        if navy(pictures[0][y][x]):
                            columns.setdefault(x, []).append(y)
                x = max(columns, key=lambda c: len(columns[c]))
                self.drag((x, columns[x][len(columns[x]) // 4]), (x, columns[x][3 * len(columns[x]) // 4]))
                self.keys("ctrl+shift+w")
                self.wait_until(file.exists, "nothing saved")
                self.pause(6.5)
                pictures.append(self.picture())
            self.assertEqual(self.quit(viewer), "")
        region = [(x, y) for y in range(60, 640) for x in range(300, 950)]
        apart = lambda a, b: sum(a[y][x] != b[y][x] for x, y in region)
        self.assertGreater(apart(pictures[0], pictures[1]), 500)
        self.assertLess(apart(pictures[1], pictures[2]), 50)
        saved = json.loads(file.read_text())
        self.assertEqual(saved["splines"], ["Body", "Arm", "Elbow"])
        self.assertTrue(all(abs(sum(w for _, w in vertex) - 1) < 1e-5
                            for vertex in saved["spline_weights"]))

    def test_a_spline_is_laid_on_a_mesh_without_joints_dragged_painted_saved_and_read(self):
        self.write_tube()
        file = self.folder / "tube.obj.splines.json"
        words = ["tube.obj", "--method", "arc-spline", "--size", "1280x800", "--yaw", "60"]
        viewer = self.start_view(*words)
        self.wait_for_title("tube - sinew")
        self.keys("ctrl+shift+c")

        def splines():
            """Saved now: the splines and per vertex {spline: weight}."""
            stamp = file.stat().st_mtime_ns if file.exists() else 0
            self.keys("ctrl+shift+f")
            self.wait_until(lambda: file.exists() and file.stat().st_mtime_ns != stamp, "nothing saved")
            saved = json.loads(file.read_text())
            return saved["splines"], [{saved["weights_of"][s]: w for s, w in vertex}
                                      for vertex in saved["weights"]]

        laid, weights = splines()
        self.assertEqual([each["name"] for each in laid], ["spline"])
        self.assertTrue(all(vertex == {"spline": 1} for vertex in weights))
        # A drag of its first control point along the blue arrow moves all that follows.
        middle = [(x, y) for y in range(60, 640, 3) for x in range(300, 950, 3)]
        self.pause(7)  # a message stays six seconds; that of saving lies over the arrow
        plain = self.picture()
        self.pause(7)  # and that of the picture
        arrow = self.pixels_like((92, 146, 255), range(270, 850), plain)  # not the axes in the corner
        self.assertGreater(len(arrow), 10, "no arrow")
        start = sorted(arrow)[len(arrow) // 2]
        tip = max(arrow, key=lambda p: math.dist(p, start))
        self.drag(start, (start[0] + 2 * (tip[0] - start[0]), start[1] + 2 * (tip[1] - start[1])))
        moved = self.picture()
        self.assertGreater(sum(plain[y][x] != moved[y][x] for x, y in middle), 500)
        self.keys("ctrl+z")
        # Painted away from the spline, as black: the stroke is in the file of splines.
        self.keys("shift+q")
        self.pause(0.5)
        rows = self.picture()
        skin = [(x, y) for x, y in middle if rows[y][x][0] > 150 and max(rows[y][x][1:]) < 90]
        self.assertGreater(len(skin), 50, "no skin of the spline's")
        xs = sorted(x for x, _ in skin)
        ys = sorted(y for _, y in skin)
        x, y = xs[len(xs) // 2], ys[len(ys) // 2]
        self.xdotool("keydown", "ctrl")
        self.drag((x, y), (x, y + 40))
        self.xdotool("keyup", "ctrl")
        _, painted = splines()
        self.assertGreater(sum(vertex.get("spline", 0) < 1 for vertex in painted), 5)
        self.assertGreater(sum(vertex == {"spline": 1} for vertex in painted), 5)
        self.assertEqual(self.quit(viewer), "")
        info = subprocess.run([window_driver.SINEW, "info", "tube.obj"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("free spline spline: spline.1, spline.2, spline.3", info.stdout)
        self.assertIn("tube.obj.splines.json", info.stdout)
        viewer = self.start_view(*words)
        self.wait_for_title("tube - sinew")
        self.keys("shift+c")
        self.assertEqual(splines(), (laid, painted))
        self.assertEqual(self.quit(viewer), "")

    def test_a_mesh_is_bound_undone_and_saved(self):
        self.write_tube()
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        self.saved_within(0)
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b")
        bound = self.saved_within(3)
        self.keys("ctrl+z")  # the skeleton is there again, unbound
        before = set(self.folder.glob("*.glb"))
        self.keys("ctrl+e", "ctrl+e")
        self.assertEqual(set(self.folder.glob("*.glb")), before)
        self.keys("ctrl+z")
        self.saved_within(0)
        self.keys("ctrl+y", "ctrl+y")
        self.assertEqual(self.saved_within(3).read_bytes(), bound.read_bytes())
        self.assertEqual(self.quit(viewer), "")
        # The command line makes the same of the same.
        for name, mesh, more in [("a", "tube.obj", []), ("b", bound, [])]:
            skeleton = "tube.tgf" if name == "a" else bound
            done = subprocess.run([window_driver.SINEW, "weights", str(mesh), "--skeleton", str(skeleton), "-o",
                                   f"{name}.json"], capture_output=True, text=True,
                                  timeout=PATIENCE, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        picture = self.folder / "bound.png"
        done = self.run_view(bound, "--frames", 3, "--show", "weights:joint2", "--screenshot", picture,
                             "--size", "1024x640")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = read_png(picture)[2]
        red = sum(p[0] > 150 and p[1] < 90 and p[2] < 90 for row in rows for p in row)
        self.assertGreater(red, 1000, "nothing hangs on the upper bone")

    def test_binding_is_cancelled_and_errors_leave_the_model(self):
        self.write_tube(rings=500, around=200)
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        (self.folder / "bad.tgf").write_text("1 0 0\n")
        self.choose_skeleton("bad.tgf")
        self.saved_within(0)
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b", "Escape")
        self.pause(8.0)  # longer than the binding would take
        before = set(self.folder.glob("*.glb"))
        self.keys("ctrl+e", "ctrl+e")
        self.assertEqual(set(self.folder.glob("*.glb")), before, "it was bound all the same")
        self.keys("ctrl+z")
        self.saved_within(0)
        self.assertEqual(self.quit(viewer), "")

    def test_both_algorithms_are_compared_and_a_joint_is_added_and_removed(self):
        self.write_tube()
        viewer = self.start_view("tube.obj", "--size", "1280x800", "--yaw", "0", "--pitch", "0")
        self.wait_for_title("tube - sinew")
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+shift+b")
        shots = set()

        def two_views():
            self.keys("shift+p")
            self.pause(0.5)
            new = sorted(set(self.folder.glob("sinew-tube-0*.png")) - shots)
            shots.update(new)
            if not new:
                return False
            rows = read_png(new[-1])[2]
            reds = [sum(p[0] > 150 and p[1] < 90 and p[2] < 90 for row in rows[60:700]
                        for p in row[a:b]) for a, b in ((255, 615), (625, 985))]
            return min(reds) > 500
        self.wait_until(two_views, "no heat maps side by side")
        # The joint where they differ most is selected: a child of it, and away with it.
        self.keys("Insert", "ctrl+b")
        self.saved_within(4)
        self.keys("ctrl+z", "Delete", "ctrl+b")
        self.saved_within(3)
        self.assertEqual(self.quit(viewer), "")


if __name__ == "__main__":
    window_driver.main()
