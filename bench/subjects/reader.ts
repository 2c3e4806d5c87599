// Only our reader: lines, JSON.parse, and an event each. `--max-line N` sets the maximum line length in bytes.
import { FlowControl } from '../../src/wire/flowControl';
import { lineFraming } from '../../src/wire/lines/framing';
import { JsonRpcReader } from '../../src/wire/jsonRpcReader';
import { input } from './input';
import { Meter, textOf } from './meter';

const at = process.argv.indexOf('--max-line');
const meter = new Meter();
const reader = new JsonRpcReader(input(), {
  framing: lineFraming,
  maxLineBytes: at < 0 ? 1024 * 1024 : Number(process.argv[at + 1]),
  maxMessageBytes: 64 * 1024 * 1024,
  now: Date.now,
  onMessage: (event) => meter.took(textOf(event.msg)),
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
