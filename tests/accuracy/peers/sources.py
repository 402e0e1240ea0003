"""Finds the name tokens that peers only hint at: a start line or byte of a declaration or of a call expression."""
import os
import re


class Tree:
    """The files of one analysed folder, read once each as bytes."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self._files = {}

    def relative(self, path):
        """The path below the root, or None outside it."""
        full = os.path.realpath(os.path.join(self.root, path))
        return os.path.relpath(full, self.root) if full.startswith(self.root + os.sep) else None

    def bytes(self, rel):
        if rel not in self._files:
            try:
                with open(os.path.join(self.root, rel), "rb") as f:
                    self._files[rel] = f.read()
            except OSError:
                self._files[rel] = b""
        return self._files[rel]

    def line_start(self, rel, line):
        """The byte offset of a 1-based line."""
        data, at = self.bytes(rel), 0
        for _ in range(line - 1):
            nl = data.find(b"\n", at)
            if nl < 0:
                return len(data)
            at = nl + 1
        return at

    def position(self, rel, offset):
        """1-based line and byte column of an offset."""
        data = self.bytes(rel)
        return data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)

    def token(self, rel, offset, names, reach=600):
        """The place of the first of the names that stands as a whole word after the offset, else the offset itself."""
        window = self.bytes(rel)[offset:offset + reach]
        for name in names:
            m = re.search(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])", window)
            if m:
                return self.position(rel, offset + m.start())
        return self.position(rel, offset)

    def name_line(self, rel, line, name, reach=25):
        """The line on which a declaration that starts at `line` has its name."""
        start = self.line_start(rel, line)
        end = self.line_start(rel, line + reach + 1)
        m = re.search(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])", self.bytes(rel)[start:end])
        return self.position(rel, start + m.start())[0] if m else line


def last_name(text):
    """`a::b.c->d` is called by its last name."""
    return re.split(r"::|\.|->|#", text)[-1]
