// The sample agent that comes with Agent Logs: an ACP agent over standard input and output that needs no model and no key.
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { systemClock } from './host';
import { serve } from './serve';

const { stdin, stdout, stderr } = process;

serve(
  ndJsonStream(Writable.toWeb(stdout), Readable.toWeb(stdin)),
  {
    clock: systemClock,
    newId: randomUUID,
    writeError: (text) => written(stderr, text),
    async exit(code) {
      await written(stdout, '');
      process.exit(code);
    },
  },
  '1.0.0',
);
// When standard input ends, the connection closes, every turn is cancelled, and with nothing left to do the process exits.

function written(output: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}
