// @ts-check
// Closes its stdout after answering `initialize`, and keeps running even when stdin ends.
import { closeSync } from 'node:fs';
import { FakeAgent } from '../../fakeAgents/lib/fakeAgent.mjs';

let answers = 0;
new FakeAgent({
  onEnd: () => undefined,
  write(line) {
    answers++;
    // Agents of version 1 get `initialize` twice.
    if (answers <= 2) process.stdout.write(line, () => answers === 2 && closeSync(1));
  },
});
setTimeout(() => process.exit(99), 60_000);
