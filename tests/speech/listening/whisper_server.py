"""Serves Whisper tiny.en as OpenAI serves transcriptions: `POST /v1/audio/transcriptions` with a WAV file (16 kHz, mono, 16 bits).
Needs nothing but what whisper.py needs. Prints its address, up to and with /v1, once it listens; ends with its standard input."""

import email
import email.policy
import io
import json
import sys
import threading
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from whisper import hear

MODEL = "whisper-tiny.en"
MOST_BYTES = 25 * 1024 * 1024
ONE_AT_A_TIME = threading.Lock()


class Refused(Exception):
    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def fields_of(content_type: str, body: bytes) -> dict[str, bytes]:
    """The parts of a form by name."""
    head = f"Content-Type: {content_type}\r\nMIME-Version: 1.0\r\n\r\n".encode()
    form = email.message_from_bytes(head + body, policy=email.policy.HTTP)
    if form.get_content_type() != "multipart/form-data":
        raise Refused(400, f"expected multipart/form-data; got {content_type}")
    return {
        str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True) or b""
        for part in form.iter_parts()
    }


def transcribe(fields: dict[str, bytes]) -> str:
    wanted = fields.get("model", b"").decode(errors="replace")
    if wanted != MODEL:
        raise Refused(404, f"The model `{wanted}` does not exist; this server has {MODEL}")
    if fields.get("language", b"en") != b"en":
        raise Refused(400, f"{MODEL} knows English only")
    if fields.get("response_format", b"json") != b"json":
        raise Refused(400, "response_format must be json")
    if "file" not in fields:
        raise Refused(400, "the field `file` is missing")
    try:
        with ONE_AT_A_TIME:
            return hear(io.BytesIO(fields["file"]))
    except (ValueError, EOFError, wave.Error) as error:
        raise Refused(400, f"the file is no WAV of 16 kHz, mono, 16 bits: {error}") from error


class Transcriptions(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        try:
            if self.path != "/v1/audio/transcriptions":
                raise Refused(404, f"there is no {self.path} here")
            length = int(self.headers.get("content-length") or 0)
            if not 0 < length <= MOST_BYTES:
                raise Refused(413, f"expected up to {MOST_BYTES} bytes with content-length; got {length}")
            body = self.rfile.read(length)
            self.answer(200, {"text": transcribe(fields_of(self.headers.get("content-type") or "", body))})
        except Refused as refused:
            self.answer(refused.status, {"error": {"message": str(refused), "type": "invalid_request_error"}})

    def answer(self, status: int, body: dict) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Transcriptions)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    sys.stdin.read()
