#!/usr/bin/env bash
# Expected: `cline --json --id ID "prompt"` resumes the session and answers the prompt, as `--id`
# is documented to resume a session and `--json` to print JSON, and both have a prompt argument.
# What happens: with --id the prompt is dropped, whether it is an argument or piped. Cline says
# on stderr that JSON output mode requires a prompt, and exits with 1. Without --id, the same
# command takes the same prompt and fails only later, at the model.
# Why it matters: sessions of Cline can't be continued from scripts. The message names the one
# thing that was given, so people look for a mistake in their quoting.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"allowScripts":{"cline":true}}' >package.json
npm install --loglevel=error --no-audit --no-fund cline@3.0.65
mkdir -p project home/.cline/data/settings
cat >home/.cline/data/settings/providers.json <<'JSON'
{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"placeholder","model":"mock","baseUrl":"http://127.0.0.1:9/v1"},"updatedAt":"2026-11-29T00:00:00.000Z","tokenSource":"manual"}}}
JSON

echo "cline $(node -p "require('./node_modules/cline/package.json').version")"
cd project
cline() {
  env -i PATH="$PATH" HOME="$dir/home" CLINE_SESSION_BACKEND_MODE=local timeout 60 ../node_modules/.bin/cline "$@" 2>&1 || true
}
wanted='JSON output mode requires a prompt'
argument=$(cline --json --id 1795914930025_m8bjr 'What is this?' </dev/null)
piped=$(echo 'What is this?' | cline --json --id 1795914930025_m8bjr)
without=$(cline --json 'What is this?' </dev/null)
echo "  --id and an argument: $(tail -n 1 <<<"$argument" | cut -c1-200)"
echo "  --id and a pipe:      $(tail -n 1 <<<"$piped" | cut -c1-200)"
echo "  without --id:         $(head -n 1 <<<"$without" | cut -c1-200)"
if grep -q "$wanted" <<<"$argument" && grep -q "$wanted" <<<"$piped" && ! grep -q "$wanted" <<<"$without"; then
  echo 'As stated.'
else
  echo 'Not as stated any more.'
  exit 1
fi
