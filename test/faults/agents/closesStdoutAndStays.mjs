// @ts-check
// Closes its stdout after it has answered `initialize`, and lives on: also when stdin ends.
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
