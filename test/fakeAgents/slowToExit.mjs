// @ts-check
// Takes 1.5 s to exit after stdin ends.
import { FakeAgent } from './lib/fakeAgent.mjs';

new FakeAgent({
  onEnd() {
    process.stderr.write('saving…\n');
    setTimeout(() => process.exit(0), 1500);
  },
});
