// @ts-check
// Ignores the end of stdin, SIGTERM, SIGINT and SIGHUP. Only SIGKILL ends it; as a safeguard it kills itself after a minute.
import { FakeAgent } from './lib/fakeAgent.mjs';

new FakeAgent({ onEnd: () => void process.stderr.write('stdin has ended: ignored\n') });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => void process.stderr.write(`${signal}: ignored\n`));
}
setTimeout(() => process.exit(99), 60_000);
