// The sample agent that ships with Agent Logs: an ACP agent over stdin and stdout that needs no model and no API key.
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
// At the end of stdin, the connection closes, all turns are cancelled, and the process exits because nothing keeps it alive.

function written(output: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}
