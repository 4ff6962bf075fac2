#!/usr/bin/env python3
"""Several views in the window, of methods and of models. Usage: viewer_views_test.py SINEW."""
import window_driver
from window_driver import PATIENCE, read_png, WindowTest


class Views(WindowTest):
    def test_keys_add_and_remove_views(self):
        viewer = self.start_view("demo:humanoid")
        self.wait_for_title("humanoid - sinew")
        self.keys("space", "v", "5", "ctrl+Prior")
        self.click(200, 40, "1")  # the chip of the third method
        self.keys("v", "shift+v", "Return", "Return", "d", "p")
        self.wait_until((self.folder / "sinew-humanoid-001.png").exists, "no screenshot")
        self.assertEqual(self.quit(viewer), "")
        self.assertEqual(self.settings()["method"], "dqs")  # not the views: they were of this model
        self.assertEqual(self.settings()["difference"], "none")

    def test_views_of_one_method_are_equal_and_the_mouse_chooses_one(self):
        viewer = self.start_view("demo:humanoid", "--method", "lbs,lbs", "--no-playing", "--time",
                                 "2.25", "--clip", "stretch")
        self.wait_for_title("humanoid - sinew")
        self.keys("Tab")
        width, height, rows = self.screenshot("sinew-humanoid-001.png")
        self.assertEqual((width, height), (1280, 800))
        self.assertTrue(all(r[:639] == r[641:] for r in rows), "the views differ")
        self.xdotool("mousemove", "900", "700", "click", "1")
        self.pause(0.3)
        self.keys("5")
        rows = self.screenshot("sinew-humanoid-002.png")[2]
        self.assertTrue(any(r[:639] != r[641:] for r in rows), "both views are the same")
        self.xdotool("mousemove", "900", "700", "click", "--repeat", "2", "--delay", "60", "1")
        self.pause(0.5)
        alone = self.screenshot("sinew-humanoid-003.png")[2]
        self.assertTrue(alone[400] != rows[400], "the view is not alone")
        self.quit(viewer)
        self.assertEqual(self.settings()["method"], "lbs")

    def next_screenshot(self):
        before = set(self.folder.glob("*.png"))
        self.keys("p")
        self.wait_until(lambda: set(self.folder.glob("*.png")) - before, "no screenshot")
        shot, = set(self.folder.glob("*.png")) - before
        self.wait_until(lambda: shot.stat().st_size > 0, "an empty screenshot")
        self.pause(0.3)
        return read_png(shot)

    def shown_views(self):
        """The pixels of each view in a row of them, by the dark columns between them."""
        _, _, rows = self.next_screenshot()
        columns = list(zip(*rows))
        gaps = [x for x, column in enumerate(columns) if all(max(p) < 16 for p in column)]
        views, start = [], 0
        for end in [*gaps, len(columns)]:
            if end > start:
                views.append(columns[start:end])
            start = end + 1
        return views

    def test_three_models_side_by_side_play_change_places_and_are_removed(self):
        viewer = self.start_view("demo:humanoid", "demo:arm", "demo:tentacle", "--side-by-side",
                                 "--no-playing", "--no-contact-shadow")
        self.wait_for_title("humanoid - sinew")
        self.keys("Tab")
        self.wait_until(lambda: len(self.shown_views()) == 3, "not three views")
        still = self.shown_views()
        for i in range(3):
            self.assertGreater(len({p for column in still[i] for p in column}), 200, "an empty view")
            self.assertNotEqual(still[i], still[(i + 1) % 3])
        self.assertEqual(self.shown_views(), still)
        self.keys("space")
        self.wait_until(lambda: all(a != b for a, b in zip(self.shown_views(), still)),
                        "one of them does not play")
        self.keys("space", "ctrl+Next", "ctrl+Return")
        self.wait_for_title("arm - sinew")
        self.assertEqual(len(self.shown_views()), 3)
        self.keys("shift+v")  # the humanoid, whose view is still the active one
        self.wait_until(lambda: len(self.shown_views()) == 2, "it is not removed")
        self.keys("shift+v", "shift+v")  # the tentacle; the document's view stays
        self.wait_until(lambda: len(self.shown_views()) == 1, "the second one is not removed")
        self.assertEqual(self.quit(viewer), "")

    def test_without_a_model_two_methods_are_side_by_side(self):
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        self.keys("v")
        viewer.terminate()  # as if it were closed: what is to be remembered is
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        self.assertEqual(self.settings()["method"], "lbs")

    def views_beside_one_another(self):
        """Whether the picture has a gap between two views in its middle."""
        rows = self.picture()
        return any(all(max(rows[y][x]) < 16 for y in range(100, 600)) for x in range(605, 625))

    def test_the_tour_follows_the_first_screen(self):
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        self.assertTrue(self.views_beside_one_another(), "the first screen")
        self.keys("F2")
        self.wait_until(lambda: not self.views_beside_one_another(), "no first step")
        self.quit(viewer)
        self.assertFalse(self.settings()["ping-pong"])
        self.assertEqual(self.settings()["method"], "lbs")


if __name__ == "__main__":
    window_driver.main()
