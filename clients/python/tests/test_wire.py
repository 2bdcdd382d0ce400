"""Events and frames, without a server."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import random
import types
import typing
import unittest
from typing import Any

from parlor_client import Audio, AudioFrame, ProtocolFaultError
from parlor_client.events import EVENT_TYPES
from parlor_client.turns import StopReason
from parlor_client.wire import parse_event, wire_name

SCHEMAS = pathlib.Path(__file__).resolve().parents[3] / "docs" / "schema"


def definitions_of(name: str) -> dict[str, Any]:
    document = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return typing.cast("dict[str, Any]", document["$defs"])


def compare(test: unittest.TestCase, hint: Any, schema: dict[str, Any], where: str) -> None:
    """A type of this package against the JSON Schema of the same thing."""
    options = [option for option in schema.get("anyOf", []) if option.get("type") != "null"]
    if len(options) < len(schema.get("anyOf", [])):
        test.assertIn(type(None), typing.get_args(hint), where)
        (schema,) = options
    if isinstance(schema.get("type"), list) and "null" in schema["type"]:
        test.assertIn(type(None), typing.get_args(hint), where)
        (kind,) = (kind for kind in schema["type"] if kind != "null")
        schema = {**schema, "type": kind}
    if dataclasses.is_dataclass(hint):
        return compare_fields(test, typing.cast(type, hint), schema, where)
    inner = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    if "enum" in schema:
        values = inner if typing.get_origin(hint) is typing.Literal else list(typing.get_args(inner[0]))
        return test.assertEqual(sorted(values), sorted(schema["enum"]), where)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return compare(test, inner[0], schema, where)
    if "const" in schema:
        return test.assertIs(hint, type(schema["const"]), where)
    kinds: dict[str, object] = {"string": str, "integer": int, "number": float, "boolean": bool}
    if schema["type"] == "array":
        test.assertIs(typing.get_origin(hint), tuple, where)
        return compare(test, inner[0], schema["items"], f"{where}[]")
    if schema["type"] == "object":
        return test.assertTrue(str(hint).startswith("typing.Mapping"), where)
    return test.assertIs(hint, kinds[schema["type"]], where)


def compare_fields(test: unittest.TestCase, cls: type, schema: dict[str, Any], where: str) -> None:
    hints = typing.get_type_hints(cls)
    own = {wire_name(field.name): field for field in dataclasses.fields(cls)}
    wire = {name: field for name, field in schema["properties"].items() if name != "type"}
    test.assertEqual(sorted(own), sorted(wire), where)
    for name, field in own.items():
        must = name in schema["required"]
        has_default = field.default is not dataclasses.MISSING
        if not must:
            test.assertTrue(has_default, f"{where}.{name} may be absent")
        compare(test, hints[field.name], wire[name], f"{where}.{name}")


class Events(unittest.TestCase):
    def test_have_the_fields_of_the_json_schema(self) -> None:
        definitions = definitions_of("server-event")
        self.assertEqual(sorted(EVENT_TYPES), sorted(definitions))
        for name, cls in EVENT_TYPES.items():
            compare_fields(self, cls, definitions[name], name)

    def test_reasons_to_stop_are_those_that_the_sandbox_takes(self) -> None:
        reason = definitions_of("client-message")["agent.stop"]["properties"]["reason"]
        self.assertEqual(sorted(typing.get_args(StopReason)), sorted(reason["enum"]))

    def test_are_read_and_unknown_fields_are_ignored(self) -> None:
        event = parse_event(
            '{"type":"customer.end","seq":5,"turn":1,"utterance":1,"durationMs":2.5,"samples":40,'
            '"interrupted":false,"final":true,"new":1}'
        )
        self.assertEqual(str(event).split("(")[0], "CustomerEnd")

    def test_rubbish_is_a_protocol_fault_and_nothing_else(self) -> None:
        rng = random.Random(7)
        good = (
            '{"type":"tool.result","seq":5,"turn":1,"callId":"a","status":"result","ok":true,"content":"x"}'
        )
        values = ["null", "1", '"x"', "[]", "{}", "true", "1e400", "-1", '"error"']
        for _ in range(3000):
            text = list(good)
            for _ in range(rng.randrange(1, 4)):
                at = rng.randrange(len(text))
                text[at : at + rng.randrange(3)] = rng.choice(values)
            try:
                parse_event("".join(text))
            except ProtocolFaultError:
                pass
        for rubbish in ["", "[]", "[" * 100_000, "{", "\x00", '{"type":["hello"]}', '{"type":"nothing"}']:
            with self.assertRaises(ProtocolFaultError, msg=rubbish[:40]):
                parse_event(rubbish)


class Frames(unittest.TestCase):
    def test_read_as_the_protocol_page_says(self) -> None:
        frame = AudioFrame.decode(bytes.fromhex("500101000700000002000000400600000100feff"))
        self.assertEqual(frame, AudioFrame("customer", 7, 2, 1600, b"\x01\x00\xfe\xff"))
        self.assertEqual(list(Audio(frame.data, "pcm16", 16_000).pcm16()), [1, -2])
        self.assertEqual(AudioFrame.decode(frame.encode()), frame)

    def test_rubbish_is_a_protocol_fault(self) -> None:
        rng = random.Random(9)
        for length in range(60):
            try:
                AudioFrame.decode(rng.randbytes(length))
            except ProtocolFaultError:
                pass
        with self.assertRaises(ProtocolFaultError):
            AudioFrame.decode(bytes.fromhex("50010100070000000200000040060000"))

    def test_mu_law_and_wav(self) -> None:
        # Corner values of G.711: both zeros, the loudest of each sign.
        self.assertEqual(list(Audio(b"\xff\x7f\x80\x00", "mulaw", 8_000).pcm16()), [0, 0, 32124, -32124])
        clip = Audio(b"\x01\x00\xfe\xff", "pcm16", 8_000)
        self.assertEqual(Audio.from_wav(clip.wav()), clip)
        self.assertEqual((len(clip), clip.duration_ms), (2, 0.25))
