#!/usr/bin/env python3
"""The live view in the report of `sinew bake`, in a headless Chromium: corrective shapes are drawn as they are measured.

Usage: bake_page_test.py SINEW. Skipped without chromium.
"""
import html
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import window_driver  # its reader of PNG files
from browser import Browser

SINEW = ""


class BakedPage(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def picture(self, browser, page, method):
        """Rows of pixels of one view alone, in the moment where linear blending is worst."""
        path = self.dir / "view.png"
        address = f"{page.as_uri()}#method={method}&frame=pose&camera=0,0,0.35&grid=0&ui=0&time=0"
        _, messages = browser.show(address, 500, 300, picture=path)
        self.assertEqual(messages, [])
        return window_driver.read_png(path)[2]

    @staticmethod
    def off(ours, theirs):
        """How many pixels are clearly different: those of another outline."""
        pairs = [pair for a, b in zip(ours, theirs) for pair in zip(a, b)]
        return sum(max(abs(p - q) for p, q in zip(a, b)) > 60 for a, b in pairs)

    @unittest.skipIf(shutil.which("chromium") is None, "needs chromium")
    def test_the_baked_view_has_its_corrective_shapes(self):
        report, page = self.dir / "report.html", self.dir / "live.html"
        run = subprocess.run([SINEW, "bake", "demo:arm", "--method", "arc-spline", "--clip", "elbow-twist", "--poses", "40",
                              "--helpers", "0", "--morphs", "2", "--drivers-file", "none", "--report", report, "-o",
                              self.dir / "arm.glb"], capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        page.write_text(html.unescape(re.search(r'srcdoc="([^"]*)"', report.read_text())[1]))
        browser = Browser()
        self.addCleanup(browser.close)
        target, linear, baked = (self.picture(browser, page, name) for name in ("arc-spline", "lbs", "baked"))
        wrong = self.off(linear, target)
        self.assertGreater(wrong, 300)
        self.assertLess(self.off(baked, target), 0.4 * wrong)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
