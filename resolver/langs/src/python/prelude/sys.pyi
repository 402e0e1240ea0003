# The interpreter.
from typing import Any, TextIO, NoReturn
argv: list[str]
path: list[str]
modules: dict[str, Any]
version: str
version_info: tuple[int, int, int, str, int]
platform: str
executable: str
prefix: str
base_prefix: str
maxsize: int
byteorder: str
flags: Any
implementation: Any
warnoptions: list[str]
meta_path: list[Any]
path_hooks: list[Any]
stdin: TextIO
stdout: TextIO
stderr: TextIO
__stdin__: TextIO
__stdout__: TextIO
__stderr__: TextIO
def exit(code: Any) -> NoReturn: ...
def exc_info() -> tuple[Any, Any, Any]: ...
def getdefaultencoding() -> str: ...
def getfilesystemencoding() -> str: ...
def getfilesystemencodeerrors() -> str: ...
def getrecursionlimit() -> int: ...
def getsizeof(x: Any) -> int: ...
def intern(x: str) -> str: ...
