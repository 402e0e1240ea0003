# The types of what the interpreter makes.
from typing import Any, Generic, Mapping
K = TypeVar("K")
V = TypeVar("V")
class ModuleType:
    __name__: str
    __file__: str
    __dict__: dict[str, Any]
class SimpleNamespace: ...
class TracebackType:
    tb_next: TracebackType
    tb_frame: FrameType
    tb_lineno: int
class FrameType:
    f_back: FrameType
    f_code: CodeType
    f_globals: dict[str, Any]
    f_locals: dict[str, Any]
    f_lineno: int
class CodeType:
    co_name: str
    co_filename: str
    co_firstlineno: int
    def replace(self, **kwargs: Any) -> CodeType: ...
class MappingProxyType(Mapping[K, V]): ...
class MethodType: ...
class FunctionType: ...
class GenericAlias: ...
