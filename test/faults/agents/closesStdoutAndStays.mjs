// @ts-check
// Closes its stdout after answering `initialize`, and keeps running even when stdin ends.
import { closeSync } from 'node:fs';
import { FakeAgent } from '../../fakeAgents/lib/fakeAgent.mjs';

let open = true;
new FakeAgent({
  onEnd: () => undefined,
  write(line) {
    if (open) process.stdout.write(line, () => closeSync(1));
    open = false;
  },
});
setTimeout(() => process.exit(99), 60_000);
