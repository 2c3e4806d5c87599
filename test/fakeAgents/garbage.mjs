// @ts-check
// Writes lines to stdout that aren't messages, at the start and before each answer: log lines, half a message, JSON that isn't an object, a batch, empty
// lines, invalid UTF-8. The messages between them are valid.
import { FakeAgent } from './lib/fakeAgent.mjs';

const junk = [
  'Starting the agent, please wait…',
  '2026-11-20 12:00:00.000 [error] [x] looks like a line of the output channel',
  '{"jsonrpc":"2.0","method":"session/upd',
  '"a JSON string"',
  '42',
  'null',
  '[{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"in a batch"}}]',
  '',
  '   ',
  '{}',
  '{"jsonrpc":"1.0","method":"log","params":{"level":"info","message":"an old version"}}',
  '\u0000\u0007 control characters \u001b[31m',
];

const litter = () => {
  for (const line of junk) process.stdout.write(`${line}\n`);
  process.stdout.write(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]));
};

litter();
new FakeAgent({
  write(line) {
    litter();
    process.stdout.write(line);
  },
});
