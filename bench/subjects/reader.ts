// Only our reader: lines, and an event each. `--max-line N` sets the maximum line length in bytes. With `--fields`, the text of a log
// message is read as in production, from the bytes of its line, and otherwise by JSON.parse.
import { FlowControl } from '../../src/wire/flowControl';
import { lineFraming } from '../../src/wire/lines/framing';
import { JsonRpcReader } from '../../src/wire/jsonRpcReader';
import { input } from './input';
import { logForm } from '../../src/protocols/acp/logMessage';
import { LogLineReader } from '../../src/protocols/logLine/logLineReader';
import type { WireMessage } from '../../src/wire/wireEvent';
import { Meter, textOf } from './meter';

const at = process.argv.indexOf('--max-line');
const meter = new Meter();
const logs = process.argv.includes('--fields') ? new LogLineReader(logForm) : undefined;

function messageOf(event: WireMessage): unknown {
  const log = logs?.read(event);
  return log ? (log.message ?? log.chunk.bytes.toString('utf8', log.messageStart, log.messageEnd)) : textOf(event.msg);
}

const reader = new JsonRpcReader(input(), {
  framing: lineFraming,
  maxLineBytes: at < 0 ? 1024 * 1024 : Number(process.argv[at + 1]),
  maxMessageBytes: 64 * 1024 * 1024,
  now: Date.now,
  onMessage: (event) => meter.took(messageOf(event)),
  onSlice: () => undefined,
  flow: new FlowControl(),
  forClient: () => undefined,
  refuse: () => undefined,
  onLineError: (error) => {
    throw error;
  },
});
reader.onClose(() => meter.done());
reader.listen(() => undefined);
