"""The two static oracles of Python: where does the definition of the name at this place stand?

Each answers a list of (path, line, character column), 1-based lines and 0-based columns; an empty list is no answer.
"""
import json
import os
import queue
import subprocess
import threading
from urllib.parse import quote, unquote

ANSWER_SECONDS = 300


class Pyright:
    """pyright's language server over its standard streams."""

    def __init__(self, package, root, python, search):
        self.root, self.search, self.python = root, search, python
        # One thread and no index: answers must not depend on what was ready.
        self.child = subprocess.Popen(
            ["node", os.path.join(package, "langserver.index.js"), "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root,
        )
        self.waiting, self.lock, self.last = {}, threading.Lock(), 0
        threading.Thread(target=self._read, daemon=True).start()
        folder = self._uri("")
        self._ask("initialize", {
            "processId": os.getpid(), "rootUri": folder, "workspaceFolders": [{"uri": folder, "name": "judged"}],
            "capabilities": {
                "general": {"positionEncodings": ["utf-16"]},
                "textDocument": {"definition": {"linkSupport": False}},
                "workspace": {"configuration": True, "workspaceFolders": True},
            },
        })
        self._send({"method": "initialized", "params": {}})

    def _uri(self, rel):
        return "file://" + quote(os.path.join(self.root, rel).rstrip("/"))

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.lock:
            self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.child.stdin.flush()

    def _settings(self, section):
        analysis = {"extraPaths": self.search, "autoSearchPaths": True, "diagnosticMode": "openFilesOnly", "indexing": False}
        if section == "python.analysis":
            return analysis
        return {"pythonPath": self.python, "analysis": analysis} if section == "python" else {}

    def _read(self):
        while True:
            length = None
            while True:
                line = self.child.stdout.readline()
                if not line:
                    for answer in list(self.waiting.values()):
                        answer.put({})
                    return
                line = line.strip()
                if not line:
                    break
                key, value = line.split(b":", 1)
                if key.lower() == b"content-length":
                    length = int(value)
            message = json.loads(self.child.stdout.read(length))
            if "method" in message and "id" in message:
                items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else None
                result = None if items is None else [self._settings(i.get("section", "")) for i in items]
                self._send({"id": message["id"], "result": result})
            elif "id" in message:
                waiting = self.waiting.pop(message["id"], None)
                if waiting is not None:
                    waiting.put(message)

    def _ask(self, method, params):
        self.last += 1
        answer = self.waiting[self.last] = queue.Queue()
        self._send({"id": self.last, "method": method, "params": params})
        return answer.get(timeout=ANSWER_SECONDS).get("result")

    def open(self, rel, text):
        document = {"uri": self._uri(rel), "languageId": "python", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def definitions(self, file, line, column):
        return self._places("textDocument/definition", file, line, column)

    def types(self, file, line, column):
        """Where the class of the value at this place is declared."""
        return self._places("textDocument/typeDefinition", file, line, column)

    def _places(self, method, file, line, column):
        # UTF-16 units before the character.
        units = len(file.lines[line - 1][:column].encode("utf-16-le")) // 2
        found = self._ask(method, {
            "textDocument": {"uri": self._uri(file.rel)}, "position": {"line": line - 1, "character": units},
        }) or []
        found = [found] if isinstance(found, dict) else found
        places = []
        for f in found:
            path, start = unquote(f["uri"])[len("file://"):], f["range"]["start"]
            places.append((path, start["line"] + 1, start["character"]))
        return places

    def close(self):
        self.child.kill()
        self.child.wait()


class Jedi:
    def __init__(self, root, python, search, cache):
        import jedi

        jedi.settings.cache_directory = cache
        self.jedi, self.root, self.scripts = jedi, root, {}
        self.project = jedi.Project(
            root, environment_path=python, added_sys_path=[root, *search], smart_sys_path=False, load_unsafe_extensions=False
        )

    def _script(self, file):
        if file.rel not in self.scripts:
            path = os.path.join(self.root, file.rel)
            self.scripts[file.rel] = self.jedi.Script(file.text, path=path, project=self.project)
        return self.scripts[file.rel]

    def _places(self, names):
        out = []
        for n in names:
            # A name without a file is compiled in, so outside.
            out.append((str(n.module_path) if n.module_path else "", n.line or 1, n.column or 0))
        return out

    def definitions(self, file, line, column):
        try:
            return self._places(self._script(file).goto(line, column, follow_imports=True, follow_builtin_imports=True))
        except Exception:  # jedi fails on some of the code it reads: that is no answer
            return []

    def instances(self, file, line, column):
        """The classes whose instances the value at this place may be."""
        try:
            found = [n for n in self._script(file).infer(line, column) if n.type == "instance"]
        except Exception:
            return []
        return self._places(found)
