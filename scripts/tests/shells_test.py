#!/usr/bin/env python3
"""The manual and the completions made from the table of commands, against --help and real shells.

Usage: shells_test.py SINEW. Uses bash, and mandoc, zsh and fish where they are.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SINEW = ""


def sinew(*words):
    return subprocess.run([SINEW, *words], capture_output=True, text=True, timeout=60, check=True).stdout


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"needs {program}")


def plain(roff):
    return re.sub(r"\\f[BIR]", "", roff).replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


def commands():
    """Name and options of every command, as --help prints them."""
    listed = sinew("--help").split("Subcommands:")[1].split("\n\n")[0]
    names = re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)
    return {name: sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*",
                                        "\n".join(re.findall(r"^  (-.*?)(?:   |$)", sinew(name, "--help"),
                                                             re.MULTILINE)))))
            for name in names}


class ShellsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.commands = commands()
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.scripts = {}
        for shell in ("bash", "zsh", "fish"):
            cls.scripts[shell] = cls.folder / shell
            cls.scripts[shell].write_text(sinew("completion", shell))

    def test_help_is_read(self):
        self.assertGreaterEqual(len(self.commands), 12)
        self.assertIn("--method", self.commands["render"])
        self.assertGreater(sum(map(len, self.commands.values())), 150)

    def test_manual_has_every_command_and_option(self):
        program = plain(sinew("man"))
        for name, options in self.commands.items():
            self.assertIn(f"sinew-{name} (1)", program)
            page = plain(sinew("man", name))
            for option in options:
                if option != "--help":
                    self.assertRegex(page, rf"(?m)^(?:-|[A-Z]+, -).*(?<=-){option[1:]}(?![\w-])", f"{name} {option}")

    @needs("mandoc")
    def test_manual_is_well_formed(self):
        for name in ("", *self.commands):
            page = self.folder / "page.1"
            page.write_text(sinew("man", *filter(None, [name])))
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)],
                                  capture_output=True, text=True)
            # A page without a date is the same in every build.
            found = [line for line in lint.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(found, [], name)

    def test_completions_have_every_option(self):
        for shell, script in self.scripts.items():
            text = script.read_text()
            for name, options in self.commands.items():
                self.assertIn(name, text)
                for option in options:
                    word = f"-l {option[2:]}" if shell == "fish" else option
                    self.assertRegex(text, rf"{word}(?![\w-])", f"{shell} {name} {option}")

    def complete(self, *words):
        """What bash offers for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        script = (f"source {self.scripts['bash']}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                  "_sinew; printf '%s\\n' \"${COMPREPLY[@]}\"")
        run = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                             timeout=60, cwd=self.folder)
        self.assertEqual(run.stderr, "")
        return run.stdout.split()

    def test_bash_completes(self):
        subprocess.run(["bash", "-n", str(self.scripts["bash"])], check=True)
        (self.folder / "model.glb").touch()
        self.assertEqual(self.complete("sinew", "rend"), ["render"])
        self.assertIn("model.glb", self.complete("sinew", "mod"))
        self.assertEqual(self.complete("sinew", "completion", "z"), ["zsh"])
        self.assertIn("dqs", self.complete("sinew", "render", "model.glb", "--method", ""))
        self.assertEqual(self.complete("sinew", "render", "--method", "lbs,dq"), ["lbs,dqs"])
        self.assertIn("--method", self.complete("sinew", "render", "--me"))
        self.assertEqual(self.complete("sinew", "export", "--skin-on", "cp"), ["cpu"])
        self.assertIn("model.glb", self.complete("sinew", "render", "m"))
        self.assertIn("demo:humanoid", self.complete("sinew", "render", "demo:"))
        self.assertEqual(self.complete("sinew", "doctor", "m"), [])
        self.assertIn("--no-grid", self.complete("sinew", "view", "--no-"))
        (self.folder / "figures").mkdir()
        for name, options in self.commands.items():
            if "--output" in options:
                self.assertIn("figures", self.complete("sinew", name, "-o", "fig"), name)

    def complete_in_zsh(self, line):
        """What zsh makes of a line when Tab is pressed at its end."""
        (self.folder / ".zshrc").write_text(
            f"PROMPT=; fpath=({self.folder} $fpath); autoload -U compinit; compinit -D -u\n"
            "made() { zle expand-or-complete; print -r -- MADE:$BUFFER:END }\n"
            "zle -N made; bindkey '^T' made; print READY\n")
        (self.folder / "_sinew").write_text(self.scripts["zsh"].read_text())
        terminal, side = pty.openpty()
        zsh = subprocess.Popen(
            ["zsh", "-i"], stdin=side, stdout=side, stderr=side, cwd=self.folder,
            start_new_session=True, env=dict(os.environ, TERM="vt100", ZDOTDIR=str(self.folder)))
        os.close(side)
        try:
            self.read_until(terminal, b"READY")
            os.write(terminal, line.encode() + b"\x14")
            made = self.read_until(terminal, b":END")
        finally:
            zsh.kill()
            zsh.wait()
            os.close(terminal)
        # zsh offers the next comma or blank, and takes it away again.
        return made.rpartition(b"MADE:")[2].partition(b":END")[0].decode().rstrip(" ,")

    def read_until(self, terminal, end, seconds=60):
        text, until = b"", time.monotonic() + seconds
        while end not in text:
            left = until - time.monotonic()
            if left <= 0 or not select.select([terminal], [], [], left)[0]:
                self.fail(f"no {end} within {seconds} s: {text[-400:]}")
            text += os.read(terminal, 4096)
        return text

    @needs("zsh")
    def test_zsh_completes(self):
        subprocess.run(["zsh", "-n", str(self.scripts["zsh"])], check=True)
        (self.folder / "only.glb").touch()
        for line, made in (("sinew ren", "sinew render"),
                           ("sinew completion z", "sinew completion zsh"),
                           ("sinew export --skin-on cp", "sinew export --skin-on cpu"),
                           ("sinew render --method lbs,dq", "sinew render --method lbs,dqs"),
                           ("sinew render onl", "sinew render only.glb"),
                           ("sinew export demo:hum", "sinew export demo:humanoid"),
                           ("sinew weights --prun", "sinew weights --pruning"),
                           ("sinew doctor --js", "sinew doctor --json"),
                           ("sinew man rag", "sinew man ragdoll")):
            self.assertEqual(self.complete_in_zsh(line), made)

    @needs("fish")
    def test_fish_completes(self):
        script = self.scripts["fish"]
        subprocess.run(["fish", "--no-execute", str(script)], check=True)

        def complete(line):
            run = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                                 capture_output=True, text=True, timeout=60, cwd=self.folder)
            return [offered.split("\t")[0] for offered in run.stdout.splitlines()]

        self.assertIn("render", complete("sinew ren"))
        self.assertEqual(complete("sinew completion z"), ["zsh"])
        self.assertEqual(complete("sinew export --skin-on cp"), ["cpu"])
        self.assertIn("--method", complete("sinew render --me"))
        self.assertIn("lbs,dqs", complete("sinew render --method lbs,dq"))


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main(verbosity=2)
