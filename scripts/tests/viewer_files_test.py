#!/usr/bin/env python3
"""What the window writes, and its file dialog. Usage: viewer_files_test.py SINEW."""
import shutil
import struct
import subprocess
import time
import unittest
from pathlib import Path

import window_driver
from hostile_files import control_characters, is_sanitized, write_faults_of_assimp, write_hostile_files
from window_driver import PATIENCE, WindowTest


def reads_in_the_window():
    """Whether what ends a reader ends the window too: a sanitized program with threads cannot fork (isolated_import.cpp)."""
    return is_sanitized(Path(window_driver.SINEW))


class Files(WindowTest):
    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_gif_of_the_views(self):
        viewer = self.start_view("demo:tentacle", "--method", "lbs,dqs", "--range-end", "0.2")
        self.wait_for_title("tentacle - sinew")
        self.keys("ctrl+r", "Return")  # what is proposed: a GIF of the clip
        gif = self.folder / "sinew-tentacle-001.gif"
        self.wait_until(gif.exists, "no GIF")
        self.assertEqual(gif.read_bytes()[:6], b"GIF89a")
        self.assertEqual(struct.unpack("<2H", gif.read_bytes()[6:10]), (1280, 720))
        # Its frames go once it is there.
        self.wait_until(lambda: not any(path.is_dir() for path in self.folder.iterdir()), "frames are left")
        self.quit(viewer)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_film_of_the_view_in_three_actions(self):
        viewer = self.start_view("demo:tentacle", "--range-end", "0.2", "--size", "1280x800")
        self.wait_for_title("tentacle - sinew")
        film = self.folder / "sinew-tentacle-001.mp4"
        self.keys("ctrl+r")  # 1
        self.pause(1)  # until the dialog is there
        self.click(590, 167, "1")  # 2: a film
        self.pause(0.5)
        self.keys("Return")  # 3: under the proposed name
        self.wait_until(film.exists, "no film")
        self.wait_until(lambda: film.read_bytes()[4:8] == b"ftyp", "no film in the file")
        self.quit(viewer)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_recording_is_discarded(self):
        viewer = self.start_view("demo:tentacle", "--speed", "0.25")  # four times as long
        self.wait_for_title("tentacle - sinew")
        self.keys("ctrl+r", "Return")
        self.wait_until(lambda: list(self.folder.glob("sinew-tentacle*")), "nothing is recorded")
        self.keys("Escape")
        self.wait_until(lambda: not list(self.folder.glob("sinew-tentacle*")), "pictures stay")
        self.quit(viewer)
        self.assertFalse((self.folder / "sinew-tentacle-001.gif").exists())

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_recording_ends_with_its_model(self):
        models = [self.folder / "a.glb", self.folder / "b.glb"]
        for model in models:
            subprocess.run([window_driver.SINEW, "export", "demo:tentacle", "-o", model], check=True, capture_output=True)
        viewer = self.start_view(models[0], "--speed", "0.1")
        self.wait_for_title("a - sinew")
        self.keys("ctrl+r", "Return")
        self.wait_until(lambda: list(self.folder.glob("sinew-*")), "nothing is recorded")
        # The next model of the folder; a dialog's text field may have the key at first.
        self.press_until("Next", lambda: not list(self.folder.glob("sinew-*")), "pictures stay")
        self.quit(viewer)
        self.assertEqual(list(self.folder.glob("sinew-*")), [])

    def test_a_report_is_made_of_the_pose_on_screen(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end)
        self.keys("ctrl+shift+r")
        self.pause(1)  # until the field has the keyboard
        self.keys("Return")
        report = self.folder / "sinew-arm-report-001.html"
        self.wait_until(report.exists, "no report")
        self.assertIn("Arc-spline", report.read_text())
        self.assertEqual(self.unsaved_quit(viewer), "")

    def test_hostile_files_are_shown_or_refused_soon(self):
        for path, code, _ in write_hostile_files(self.folder):
            if path.parent.name == "faults" and reads_in_the_window():
                continue
            with self.subTest(file=path.name):
                picture, start = self.folder / "a.png", time.monotonic()
                done = self.run_view(path, "--frames", 3, "--size", "640x400", "--screenshot", picture)
                self.assertLess(time.monotonic() - start, PATIENCE)
                # A model is shown without what lies beside it and is refused.
                self.assertIn(done.returncode, (0, code), done.stderr)
                self.assertEqual(control_characters(done.stderr), set())
                self.assertTrue(picture.exists() or code != 0)
                picture.unlink(missing_ok=True)

    def test_faults_of_readers_leave_the_model_in_the_window(self):
        if reads_in_the_window():
            self.skipTest("reads in the window's process")
        faults = write_faults_of_assimp(self.folder / "faults")
        viewer = self.start_view("demo:arm", *faults)
        self.wait_for_title("arm - sinew")
        readers = Path(f"/proc/{viewer.pid}/task").glob
        for path, says in faults.items():
            self.keys("Next")
            self.pause(2)
            if says == "crashed":  # another hangs until it is cancelled: here by the next file
                self.wait_until(lambda: not any(path.read_text() for path in readers("*/children")), "a reader does not end")
        self.assertTrue(self.xdotool("search", "--name", "^arm - sinew$").stdout)
        lines, crashes = self.quit(viewer).splitlines(), [path for path, says in faults.items() if says == "crashed"]
        self.assertEqual(len(lines), len(crashes), lines)
        for line, path in zip(lines, crashes):
            self.assertRegex(line, f"{path.name}: the reader crashed .*; .*convert it to glTF")

    def test_the_file_dialog_takes_a_name_after_a_click_on_a_folder(self):
        subprocess.run([window_driver.SINEW, "export", "demo:tentacle", "-o", self.folder / "curl.glb", "--quiet"],
                       check=True, timeout=PATIENCE)
        viewer = self.start_view("demo:arm", "--size", "1280x800")
        self.wait_for_title("arm - sinew")

        def opened():  # again where the dialog was not there yet
            self.keys("Escape", "Escape", "ctrl+o")  # out of a text field, then of the dialog
            self.pause(3)
            self.click(282, 199, "1")  # the root of the path
            self.pause(0.5)
            self.xdotool("type", "--delay", "30", str(self.folder / "curl.glb")[1:])
            self.pause(0.5)
            self.keys("Return")
            self.pause(1)
            return self.xdotool("search", "--name", "^curl - sinew$").stdout
        self.wait_until(opened, "not opened")
        self.quit(viewer)


if __name__ == "__main__":
    window_driver.main()
