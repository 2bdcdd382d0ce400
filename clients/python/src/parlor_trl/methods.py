"""Python methods from JSON Schemas, as TRL reads them: by signature, type hints and a docstring in Google's style."""

from __future__ import annotations

import inspect
import keyword
from typing import Any, Callable, Literal, Mapping, Optional

_PLAIN: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict[str, Any]}


def hint_of(schema: Mapping[str, Any]) -> Any:
    """The type hint whose schema, as transformers derives it, says the same as `schema` in the parts that tools use."""
    choices = schema.get("enum")
    if choices:
        return Literal[tuple(choices)]
    kind = schema.get("type")
    if kind == "array":
        return list[hint_of(schema.get("items", {}))]  # type: ignore[misc]
    return _PLAIN.get(kind, Any) if isinstance(kind, str) else Any


def _line(text: Any) -> str:
    """One line: what a docstring's sections are told apart by must not stand in a description."""
    return " ".join(str(text).split())


def docstring_of(description: str, properties: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [_line(description)]
    if properties:
        lines += ["", "Args:"]
        lines += [f"    {name}: {_line(schema.get('description') or name)}" for name, schema in properties.items()]
    lines += ["", "Returns:", "    What the tool says."]
    return "\n".join(lines)


def make_method(
    name: str, description: str, parameters: Mapping[str, Any], act: Callable[[Any, dict[str, Any]], str]
) -> Callable[..., str]:
    """A method `name(self, …)` that hands its arguments to `act`. Raises `ValueError` for names that Python cannot have."""
    properties: Mapping[str, Mapping[str, Any]] = parameters.get("properties", {})
    required = set(parameters.get("required", ()))
    for each in (name, *properties):
        if not each.isidentifier() or keyword.iskeyword(each):
            raise ValueError(f"{each!r} of the tool {name!r} is no name in Python")
    # Python wants what may be left out behind what may not.
    ordered = sorted(properties, key=lambda each: each not in required)
    hints = {each: hint_of(properties[each]) for each in ordered}
    hints = {each: hint if each in required else Optional[hint] for each, hint in hints.items()}
    arguments = [
        inspect.Parameter(
            each,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=hints[each],
            default=inspect.Parameter.empty if each in required else None,
        )
        for each in ordered
    ]
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([itself, *arguments], return_annotation=str)

    def method(*args: Any, **kwargs: Any) -> str:
        # Raises TypeError for what does not fit; the trainer shows that to the model.
        bound = signature.bind(*args, **kwargs).arguments
        given = {each: value for each, value in bound.items() if each != "self" and value is not None}
        return act(bound["self"], given)

    method.__name__ = name
    method.__doc__ = docstring_of(description, {each: properties[each] for each in ordered})
    method.__annotations__ = {**hints, "return": str}
    setattr(method, "__signature__", signature)
    return method
