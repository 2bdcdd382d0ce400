#!/usr/bin/env bash
# Python environment for the loader checks in tests/dataset/python: light packages whole, trainers without their dependencies
# (their data classes are what is checked; torch and the like are replaced by stand-ins). Made once per requirement list.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.venv-dataset
lists=tests/dataset/python
wanted=$(cat "$lists/requirements.txt" "$lists/trainers.txt" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$folder/made-from" 2>/dev/null || true)" = "$wanted" ]; then exit 0; fi

rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check -r "$lists/requirements.txt"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$lists/trainers.txt"
echo "$wanted" > "$folder/made-from"
