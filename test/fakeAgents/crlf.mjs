// @ts-check
// Ends every line with CR LF, on stdout and on stderr.
import { FakeAgent } from './lib/fakeAgent.mjs';

new FakeAgent({ write: (line) => void process.stdout.write(line.replace(/\n$/, '\r\n')) });
process.stderr.write('one line\r\nanother line\r\n');
