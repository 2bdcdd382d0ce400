#!/usr/bin/env bash
# Makes .venv-clients: the Python client, installed from this checkout with its one dependency, and what its tests need. It is
# kept apart from .venv-interop so that nothing comes in by way of other packages. Nothing to do when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-clients
pins="$(cat clients/python/requirements-dev.txt clients/python/pyproject.toml)"
if [[ "$(cat "$venv/pins.txt" 2>/dev/null)" == "$pins" ]]; then
  exit 0
fi
if ! python3 -c 'import ensurepip' 2>/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null
fi
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r clients/python/requirements-dev.txt -e clients/python
echo "$pins" > "$venv/pins.txt"
