"""A headless Chromium that is told through a pipe what to show (the Chrome DevTools Protocol).

Nothing here waits for a fixed time: a page is asked whether it has drawn, however slow the machine is.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 600  # seconds until a browser that says nothing is a failure

# Two frames after nothing loads any more, in this document and in those within it.
DRAWN = """
(async () => {
  const loads = () => [document, ...[...document.querySelectorAll("iframe")].map(frame => frame.contentDocument)]
      .some(inner => inner && (inner.readyState !== "complete" || inner.getElementById("message")?.textContent === "Loading …"));
  while (loads()) await new Promise(done => setTimeout(done, 20));
  for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
})()
"""


class Browser:
    """A process; close() ends it. words: further options of its command line."""

    def __init__(self, *words):
        self.profile = tempfile.mkdtemp()
        to_browser, write = os.pipe()
        read, from_browser = os.pipe()
        # The browser reads 3 and writes 4; the ends are moved out of the way of these two first.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]
        command = ["chromium", "--headless", "--no-sandbox", "--disable-quic", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   f"--user-data-dir={self.profile}", "--use-gl=angle", "--use-angle=swiftshader",
                   "--enable-unsafe-swiftshader", "--hide-scrollbars", "--remote-debugging-pipe", *words, "about:blank"]
        def name_ends():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)
        self.process = subprocess.Popen(command, preexec_fn=name_ends, pass_fds=(3, 4), start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self.write, self.read = write, read
        self.unread, self.last, self.messages, self.loaders = b"", 0, [], set()

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.write)
        os.close(self.read)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        """The next answer or event."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.unread:
            if not select.select([self.read], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the browser said nothing for {PATIENCE} s")
            more = os.read(self.read, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.unread += more
        said, self.unread = self.unread.split(b"\0", 1)
        return json.loads(said)

    def call(self, method, session=None, **parameters):
        """The answer. What pages write to the console meanwhile goes to `messages`."""
        self.last += 1
        call = {"id": self.last, "method": method, "params": parameters}
        if session:
            call["sessionId"] = session
        os.write(self.write, json.dumps(call).encode() + b"\0")
        while True:
            said = self.receive()
            if said.get("id") == self.last:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']['message']}")
                return said["result"]
            self.listen(said)

    def listen(self, event):
        about = event.get("params", {})
        if event.get("method") == "Page.frameNavigated":
            self.loaders.add(about["frame"]["loaderId"])
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(word.get("value", word.get("description"))) for word in about["args"]))
        elif event.get("method") == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Log.entryAdded":
            self.messages.append(about["entry"]["text"])

    def show(self, url, width, height, script="", picture=None, touch=False, drawn=DRAWN):
        """Opens a page, waits until it has drawn, and runs a script in it.

        Returns the script's value (a promise's, once it has one) and what was written to the console.
        The picture, a PNG file, is of what is shown after the script. touch: on a phone. drawn: what is
        waited for, a promise.
        """
        self.messages = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable", session)
        self.call("Emulation.setDeviceMetricsOverride", session, width=width, height=height, deviceScaleFactor=1,
                  mobile=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", session, enabled=True, maxTouchPoints=2)
        opened = self.call("Page.navigate", session, url=url)
        if "errorText" in opened:
            raise RuntimeError(f"{url}: {opened['errorText']}")
        while opened["loaderId"] not in self.loaders:
            self.listen(self.receive())
        self.run(session, drawn)
        value = self.run(session, script) if script else None
        if picture:
            shot = self.call("Page.captureScreenshot", session, format="png")
            Path(picture).write_bytes(base64.b64decode(shot["data"]))
        self.call("Target.closeTarget", targetId=target)
        return value, self.messages

    def run(self, session, script):
        answer = self.call("Runtime.evaluate", session, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            self.messages.append(answer["result"].get("description", "a script has failed"))
        return answer["result"].get("value")
