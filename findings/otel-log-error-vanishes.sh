#!/usr/bin/env bash
# Expected: an Error given to an OpenTelemetry log record as an attribute is exported, or counted
# in droppedAttributesCount, the field that says how many attributes were lost.
# What happens: the attribute vanishes and droppedAttributesCount stays 0; so do Date and Map. An
# Error as the body becomes an empty list of keys. The types allow both, and nothing is logged at
# the default level. Only the record's field "exception" keeps type, message and stack.
# Why it matters: { body: 'failed', attributes: { error } } is the form one knows from other logging
# libraries, and here the cause of the failure is the one thing that doesn't arrive. The count of
# zero says that nothing was lost.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund \
  @opentelemetry/api@1.10.0 @opentelemetry/sdk-logs@3.1.1 @opentelemetry/exporter-logs-otlp-http@0.301.0

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

const name = '@opentelemetry/sdk-logs';
console.log(`${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version}`);
const bodies = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    bodies.push(body);
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
const exporter = new OTLPLogExporter({ url: `http://127.0.0.1:${collector.address().port}/v1/logs` });
const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });
const logger = provider.getLogger('findings');
const error = new Error('disk full');
const attributes = { error, since: new Date(0), sizes: new Map([['a', 1]]), kept: 1 };
logger.emit({ body: 'attribute', attributes });
logger.emit({ body: error });
logger.emit({ body: 'exception', exception: error });
await provider.shutdown();
collector.close();
const records = bodies.flatMap((body) => JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords);
const seen = records.map(({ body, attributes, droppedAttributesCount }) => {
  const keys = attributes.map(({ key }) => key);
  return `body ${JSON.stringify(body)}, attributes [${keys}], dropped ${droppedAttributesCount}`;
});
for (const record of seen) console.log(`  ${record}`);
const stated = [
  'body {"stringValue":"attribute"}, attributes [kept], dropped 0',
  'body {"kvlistValue":{"values":[]}}, attributes [], dropped 0',
  'body {"stringValue":"exception"}, attributes [exception.type,exception.message,exception.stacktrace], dropped 0',
];
const asStated = JSON.stringify(seen) === JSON.stringify(stated);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
