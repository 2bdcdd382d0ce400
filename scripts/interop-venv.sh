#!/usr/bin/env bash
# Makes .venv-interop with the Python clients that tests/interop plays against, at pinned versions. Nothing to do when it
# is there and complete. Without it those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-interop
pins=tests/interop/requirements.txt
if [[ -f $venv/pins.txt ]] && cmp -s "$pins" "$venv/pins.txt"; then
  exit 0
fi
if ! python3 -c 'import ensurepip' 2>/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null
fi
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --requirement "$pins"
cp "$pins" "$venv/pins.txt"
