import { oneLine } from '../../../log/text';
import type { JsonObject } from '../../json';
import { objectOf, textOf } from '../../json';
import type { UpdateText } from '../sessionUpdate';

/** So many terminals are remembered; a longer run forgets the oldest. */
const maxTerminals = 200;
/** How much of one piece of output is decoded, in characters of base64: a multiple of four. */
const maxBase64 = 65_536;
const maxOutput = 300;

interface Terminal {
  command: string | undefined;
  /** The last of its output. */
  output: string;
  readonly decoder: InstanceType<typeof TextDecoder>;
}

/** The agent's own terminals (ACP v2 "Terminals"): their output is bytes in base64, of which a character may come in two pieces. */
export class Terminals {
  private readonly terminals = new Map<string, Terminal>();

  /** The text of a `terminal_output_chunk`. */
  output(update: JsonObject): string {
    const terminal = this.terminal(update['terminalId']);
    const text = decode(terminal.decoder, update['data'], true);
    terminal.output = (terminal.output + text).slice(-4 * maxOutput);
    return text;
  }

  /** A `terminal_update`, of which only what it names has changed. */
  update(update: JsonObject): UpdateText {
    const terminal = this.terminal(update['terminalId']);
    const command = textOf(update['command']);
    const isNew = command !== undefined && command !== terminal.command;
    terminal.command = command ?? terminal.command;
    const { data } = objectOf(update['output']);
    if (data !== undefined) terminal.output = decode(new TextDecoder(), data, false).slice(-4 * maxOutput);
    const name = oneLine(terminal.command ?? textOf(update['terminalId']) ?? 'a terminal', 200);
    const exit = exitOf(objectOf(update['exitStatus']));
    const output = exit === undefined && data === undefined ? '' : oneLine(terminal.output, maxOutput);
    return {
      level: exit !== undefined && exit !== 'exit 0' ? 'warning' : isNew || exit !== undefined ? 'info' : 'debug',
      logger: 'terminal',
      message: `${name}${exit === undefined ? '' : ` (${exit})`}${output === '' ? '' : `: ${output}`}`,
    };
  }

  private terminal(id: unknown): Terminal {
    const key = textOf(id)?.slice(0, 200) ?? '';
    const known = this.terminals.get(key);
    if (known) return known;
    const terminal = { command: undefined, output: '', decoder: new TextDecoder() };
    this.terminals.set(key, terminal);
    const [oldest] = this.terminals.keys();
    if (this.terminals.size > maxTerminals && oldest !== undefined) this.terminals.delete(oldest);
    return terminal;
  }
}

function exitOf({ exitCode, signal }: JsonObject): string | undefined {
  const by = textOf(signal);
  if (by !== undefined) return `ended by ${oneLine(by, 40)}`;
  return typeof exitCode === 'number' ? `exit ${exitCode}` : undefined;
}

/** What is no base64 is passed over, as RFC 4648 section 3.3 allows. */
function decode(decoder: Terminal['decoder'], data: unknown, stream: boolean): string {
  if (typeof data !== 'string') return '';
  return decoder.decode(Buffer.from(data.slice(0, maxBase64), 'base64'), { stream });
}
