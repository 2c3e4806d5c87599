import { oneLine } from '../../text/text';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { ownHead, ownTail } from '../../text/ownText';
import { sessionKey } from '../sessionIds';
import type { ExchangeText } from '../jsonrpc/exchangeText';

/** Maximum number of terminals to remember. */
const maxTerminals = 200;
const maxOutput = 300;
/** Maximum length to keep of a command and of the end of its output, in characters. Allows for whitespace that isn't shown. */
const maxKept = 4 * maxOutput;

/** Maximum length of base64 to decode: enough for `maxKept` in any encoding. */
const maxBase64 = 65_536;

interface Terminal {
  command: string | undefined;
  /** The end of its output. */
  output: string;
  readonly decoder: InstanceType<typeof TextDecoder>;
}

/** The agent's own terminals (ACP v2 "Terminals"). Output is bytes in base64, and a character may be split between chunks. */
export class Terminals {
  private readonly terminals = new BoundedMap<string, Terminal>(maxTerminals);

  commandOf(sessionId: string, id: string): string | undefined {
    return this.terminals.get(sessionKey(sessionId, id))?.command;
  }

  /** Decodes a `terminal_output_chunk`. */
  output(sessionId: string, update: JsonObject): string {
    const terminal = this.terminal(sessionId, update['terminalId']);
    const text = terminal.decoder.decode(bytesOf(update['data']), { stream: true });
    terminal.output = ownTail(terminal.output + text, maxKept);
    return text;
  }

  /** Handles a `terminal_update`, which contains only changed fields. */
  update(sessionId: string | undefined, update: JsonObject): ExchangeText {
    const terminal = this.terminal(sessionId, update['terminalId']);
    const command = keptCommand(update['command']);
    const isNew = command !== undefined && command !== terminal.command;
    terminal.command = command ?? terminal.command;
    const { data } = objectOf(update['output']);
    if (data !== undefined) terminal.output = ownTail(new TextDecoder().decode(bytesOf(tailOf(data))), maxKept);
    const name = oneLine(terminal.command ?? textOf(update['terminalId']) ?? 'a terminal', 200);
    const exit = exitOf(objectOf(update['exitStatus']));
    const output = exit === undefined && data === undefined ? '' : oneLine(terminal.output, maxOutput);
    return {
      level: isNew || exit !== undefined ? 'info' : 'debug',
      logger: 'terminal',
      message: `${name}${exit === undefined ? '' : ` (${exit})`}${output === '' ? '' : `: ${output}`}`,
    };
  }

  private terminal(sessionId: string | undefined, id: unknown): Terminal {
    const key = sessionKey(sessionId, textOf(id) ?? '');
    return this.terminals.ensure(key, () => ({ command: undefined, output: '', decoder: new TextDecoder() }));
  }
}

function keptCommand(command: unknown): string | undefined {
  const text = textOf(command);
  return text === undefined ? undefined : ownHead(text, maxKept);
}

function exitOf({ exitCode, signal }: JsonObject): string | undefined {
  const by = textOf(signal);
  if (by !== undefined) return `ended by ${oneLine(by, 40)}`;
  return typeof exitCode === 'number' ? `exit ${exitCode}` : undefined;
}

/** The end of the output. Agents resend it in full as it grows, and only the end is shown, so don't decode the rest. */
function tailOf(data: unknown): unknown {
  if (typeof data !== 'string' || data.length <= maxBase64 || data.includes('\n')) return data;
  // Cut at a multiple of four characters (three bytes). Line breaks (RFC 2045) would shift them.
  return data.slice((data.length - maxBase64) & ~3);
}

/** Skips characters that aren't base64, as RFC 4648 section 3.3 allows. */
function bytesOf(data: unknown): Buffer {
  return Buffer.from(typeof data === 'string' ? data : '', 'base64');
}
