// @ts-check
// Closes its stdout after initialize, and keeps running until stdin ends.
import { closeStdout } from './lib/closeStdout.mjs';
import { FakeAgent } from './lib/fakeAgent.mjs';

let open = true;
new FakeAgent({
  write(line) {
    if (open) process.stdout.write(line, closeStdout);
    open = false;
  },
});
