// @ts-check
// Goes on when stdin ends, and on SIGTERM, SIGINT and SIGHUP. Only SIGKILL ends it (or itself, after a minute, so that it cannot be forgotten).
import { FakeAgent } from './lib/fakeAgent.mjs';

new FakeAgent({ onEnd: () => void process.stderr.write('stdin has ended: ignored\n') });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => void process.stderr.write(`${signal}: ignored\n`));
}
setTimeout(() => process.exit(99), 60_000);
