#!/usr/bin/env bash
# Expected: in OTLP's JSON, a number attribute has one type. Protobuf's JSON mapping writes int64
# as a string, and a double that is not a number as "NaN" or "Infinity".
# What happens: OpenTelemetry's JavaScript exporter decides by the value. 1.5 is a doubleValue, 2
# an intValue, written as a number; 1e300 is an intValue too, which no int64 can hold. NaN and
# Infinity become doubleValue null, null in a list becomes {}. Times of the same span are strings.
# Why it matters: an attribute such as "seconds" changes its type from span to span, so columns
# typed by the first value reject others. A null no longer says whether it was NaN or Infinity.
# A reader that takes intValue for a string, as it may for times, fails on ordinary attributes.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund \
  @opentelemetry/api@1.10.0 @opentelemetry/sdk-trace@3.1.1 @opentelemetry/exporter-trace-otlp-http@0.301.0

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const name = '@opentelemetry/exporter-trace-otlp-http';
console.log(`${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version}`);
let body = '';
const collector = createServer((request, response) => {
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${collector.address().port}/v1/traces` });
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const attributes = { half: 1.5, two: 2, huge: 1e300, none: NaN, endless: Infinity, list: ['a', null] };
provider.getTracer('findings').startSpan('work', { attributes }).end();
await provider.shutdown();
collector.close();
const [span] = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
const seen = Object.fromEntries(span.attributes.map(({ key, value }) => [key, JSON.stringify(value)]));
for (const [key, value] of Object.entries(seen)) console.log(`  ${key}: ${value}`);
console.log(`  startTimeUnixNano is a ${typeof span.startTimeUnixNano}`);
const stated = {
  half: '{"doubleValue":1.5}',
  two: '{"intValue":2}',
  huge: '{"intValue":1e+300}',
  none: '{"doubleValue":null}',
  endless: '{"doubleValue":null}',
  list: '{"arrayValue":{"values":[{"stringValue":"a"},{}]}}',
};
const asStated = JSON.stringify(seen) === JSON.stringify(stated) && typeof span.startTimeUnixNano === 'string';
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
