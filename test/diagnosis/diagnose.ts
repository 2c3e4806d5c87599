// Prints the diagnoses of one recording: `npm run diagnose -- NAME`, or `npm run diagnose -- FILE [PROTOCOL]` (default: acp).
import { existsSync } from 'node:fs';
import { shortId } from '../../src/text/sessionLabel';
import type { Protocol } from '../../src/wire/protocol';
import { diagnosesOf, eventsOf, verdictOf } from './recordings';

const [name, protocol = 'acp'] = process.argv.slice(2) as [string?, Protocol?];
if (name === undefined) {
  throw new Error('Name a recording in test/fixtures/diagnosis/expected, or a file and its protocol.');
}

const found = existsSync(name) ? diagnosesOf(eventsOf(name, protocol), protocol) : verdictOf(name).found;
for (const { receivedAt, level, logger = '', sessionId, message } of found) {
  const time = new Date(receivedAt).toISOString().slice(11, 23);
  console.log(
    `${time} ${level} [${sessionId === undefined ? 'connection' : shortId(sessionId)}] ${logger}: ${message}`,
  );
}
