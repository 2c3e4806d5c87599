import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { ownHead, ownTail } from '../../text/ownText';
import type { BoundedMap } from '../../text/boundedMap';
import type { Terminal } from './session';
import { keyOf } from './session';
import type { ExchangeText } from '../jsonrpc/exchangeText';

const maxOutput = 300;
/** Maximum length to keep of a command and of the end of its output, in characters. Allows for whitespace that isn't shown. */
const maxKept = 4 * maxOutput;

/** Maximum length of base64 to decode: enough for `maxKept` in any encoding. */
const maxBase64 = 65_536;

/** The terminal that an update names. */
export function terminalOf({ terminals }: { readonly terminals: BoundedMap<string, Terminal> }, id: unknown): Terminal {
  const key = keyOf(textOf(id) ?? '');
  return terminals.ensure(key, () => ({ command: undefined, output: '', decoder: new TextDecoder() }));
}

/** Decodes a `terminal_output_chunk`. */
export function terminalOutput(terminal: Terminal, update: JsonObject): string {
  const text = terminal.decoder.decode(bytesOf(update['data']), { stream: true });
  terminal.output = ownTail(terminal.output + text, maxKept);
  return text;
}

/** Handles a `terminal_update`, which contains only changed fields. Returns its record. */
export function updateTerminal(terminal: Terminal, update: JsonObject): ExchangeText {
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
