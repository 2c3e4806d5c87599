// @ts-check
// Closes its stdout after initialize, and lives on until stdin ends.
import { closeSync } from 'node:fs';
import { FakeAgent } from './lib/fakeAgent.mjs';

let open = true;
new FakeAgent({
  write(line) {
    if (open) process.stdout.write(line, () => closeSync(1));
    open = false;
  },
});
