"""Reads events from JSON text, by the annotations of their dataclasses. Fields that this version does not know are ignored."""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import json
import types
import typing
from typing import Any

from .errors import ProtocolFaultError
from .events import EVENT_TYPES, Capability, Event, Unknown


def wire_name(name: str) -> str:
    """`sample_offset` as it is called on the wire: `sampleOffset`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


@functools.lru_cache(maxsize=None)
def _fields(cls: type) -> tuple[tuple[str, str, Any, bool], ...]:
    """Name, wire name, type and whether the field may be absent."""
    hints = typing.get_type_hints(cls)
    return tuple(
        (field.name, wire_name(field.name), hints[field.name], field.default is not dataclasses.MISSING)
        for field in dataclasses.fields(cls)
    )


def _wrong(where: str, expected: str, got: object) -> ProtocolFaultError:
    return ProtocolFaultError(f"{where}: expected {expected}, got {str(got)[:100]!r}")


def _read(hint: Any, value: Any, where: str) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return read_dataclass(typing.cast(type, hint), value, where)
    if origin is typing.Literal:
        if not isinstance(value, str) or value not in args:
            raise _wrong(where, " or ".join(args), value)
        return value
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        (inner,) = (arg for arg in args if arg is not type(None))
        return _read(inner, value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list", value)
        if args[0] is Capability:
            # A newer sandbox can do more; what is not known is not used.
            value = [item for item in value if item in typing.get_args(Capability)]
        return tuple(_read(args[0], item, f"{where}.{place}") for place, item in enumerate(value))
    if origin is collections.abc.Mapping:
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        return {key: _read(args[1], item, f"{where}.{key}") for key, item in value.items()}
    if hint is Any:
        return value
    if hint is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _wrong(where, "a number", value)
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise _wrong(where, hint.__name__, value)
    return value


def read_dataclass(cls: type, data: Any, where: str) -> Any:
    """An instance of `cls` from a JSON object. Raises `ProtocolFaultError`."""
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    values: dict[str, Any] = {}
    for name, key, hint, optional in _fields(cls):
        if key in data:
            values[name] = _read(hint, data[key], f"{where}.{key}")
        elif not optional:
            raise ProtocolFaultError(f"{where}: the field {key} is missing")
    return cls(**values)


def parse_event(text: str) -> Event | Unknown:
    """One event from a text frame. Raises `ProtocolFaultError`, never anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolFaultError(f"not JSON: {error}") from error
    kind = data.get("type") if isinstance(data, dict) else None
    cls = EVENT_TYPES.get(kind) if isinstance(kind, str) else None
    if cls is None and isinstance(kind, str) and type(data.get("seq")) is int:
        return Unknown(data["seq"])
    if cls is None:
        raise ProtocolFaultError(f"no event of this protocol: {str(kind)[:100]!r}")
    return typing.cast(Event, read_dataclass(cls, data, str(kind)))
