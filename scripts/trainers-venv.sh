#!/usr/bin/env bash
# Python environment in which TRL and verl train a tiny policy on a CPU against the sandbox (tests/clients/trainers.test.ts): real
# torch, transformers, TRL, verl, tensordict and Ray, half a GB to fetch. torch's wheel is for CUDA; tests/clients/trainers/cuda_stand_ins.py
# makes it load without. Made once per requirement list; without gcc, readelf or an x86 machine there is none, and the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-trainers
lists=tests/clients/trainers
wanted=$(cat "$lists/requirements.txt" "$lists/cuda_stand_ins.py" | sha256sum | cut -d' ' -f1)
if [[ "$(cat "$venv/made-from" 2>/dev/null || true)" == "$wanted" ]]; then exit 0; fi
if [[ "$(uname -m)" != x86_64 ]] || ! command -v gcc >/dev/null || ! command -v readelf >/dev/null; then
  echo "trainers-venv.sh: needs gcc and readelf on x86_64" >&2
  exit 1
fi

rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir --no-compile --no-deps -r "$lists/requirements.txt"
"$venv/bin/python" "$lists/cuda_stand_ins.py" "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
"$venv/bin/python" -c 'import torch; assert not torch.cuda.is_available(); assert float(torch.ones(2, 2).sum()) == 4'
echo "$wanted" > "$venv/made-from"
