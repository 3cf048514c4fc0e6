"""Debian's chromium, without a window, driven over a pipe: real keys and clicks, any width, light
or dark, pictures, and the tree that a screen reader is given. It speaks the DevTools protocol (one
JSON object after another, each ended by a zero byte), so that nothing has to be installed but the
browser itself. Times that pages measure are real ones.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PATH = shutil.which("chromium")

# Names of keys to the codes that pages may look at.
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33,
        "PageDown": 34, "End": 35, "Home": 36, "Tab": 9, "Enter": 13}


class Chromium:
    """One browser with one page. Use as a context manager."""

    def __enter__(self):
        self.profile = pathlib.Path(tempfile.mkdtemp())
        hears, self.to_browser = os.pipe()
        self.from_browser, says = os.pipe()
        self.buffer, self.numbers, self.errors = b"", 0, []
        # The protocol is spoken on descriptors 3 and 4 of the browser; ours must not be those.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (hears, says)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "chromium",
             PATH, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (hears, says, *ends):
            os.close(end)
        self.session = None
        page = next(target for target in self.ask("Target.getTargets")["targetInfos"]
                    if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"],
                                flatten=True)["sessionId"]
        for part in ("Page", "Runtime"):
            self.ask(f"{part}.enable")
        return self

    def __exit__(self, *_):
        self.session = None
        self.ask("Browser.close")
        self.process.wait(timeout=30)
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.numbers += 1
        number = self.numbers
        request = {"id": number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + 120
        while True:
            message = self.hear(until)
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(message["params"]["exceptionDetails"])
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def hear(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("chromium does not answer")
            more = os.read(self.from_browser, 1 << 16)
            if not more:
                raise RuntimeError("chromium went away")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def look(self, width=1280, height=900, dark=False):
        """The size of the window in CSS pixels, and what the reader prefers."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path, place=""):
        """Opens a file; `place` is a part of it, such as "#4"."""
        self.errors = []
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=pathlib.Path(path).as_uri() + place)
        until = time.monotonic() + 60
        while self.run("document.readyState") != "complete":
            if time.monotonic() > until:
                raise TimeoutError(f"{path} does not load")
            time.sleep(0.02)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name):
        """Presses a key, as a reader would, wherever the focus is."""
        code = KEYS.get(name, ord(name.upper()) if len(name) == 1 else 0)
        what = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        if name == "Enter":
            what["text"] = "\r"
        self.ask("Input.dispatchKeyEvent", type="keyDown" if "text" in what else "rawKeyDown",
                 **what)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **what)
        self.settle()

    def click(self, element):
        """Clicks into the middle of what the expression `element` gives."""
        x, y = self.run(f"""(() => {{ const e = {element};
            e.scrollIntoView({{block: "center", inline: "nearest"}});
            const box = e.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def settle(self):
        """Waits until the page has drawn what the last input led to."""
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def read_aloud(self):
        """What a screen reader is given: [(role, name, properties)], without what it skips."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", ""),
                 {each["name"]: each["value"].get("value") for each in node.get("properties", [])})
                for node in nodes if not node["ignored"]]

    def picture(self, path, whole=False):
        data = self.ask("Page.captureScreenshot", format="png",
                        captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
