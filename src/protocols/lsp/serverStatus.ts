import type { Level } from '../../text/level';
import { oneLine } from '../../text/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';

/** The status of a part of a server. */
interface Status {
  /** The part, if the server names one. */
  readonly part?: string;
  readonly level: Level;
  readonly text: string;
}

const maxParts = 20;

const levelsByWord: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
]);

/** Status notifications of known servers. LSP itself has none. */
const readers: ReadonlyMap<string, (params: JsonObject) => readonly Status[]> = new Map([
  // GitHub Copilot sends the same status in three forms, two of them for older clients.
  ['didChangeStatus', (params: JsonObject) => [readStatus(params, 'kind')]],
  ['statusNotification', (params: JsonObject) => [readStatus(params, 'kind')]],
  [
    'didChangeStatus/v2',
    ({ statuses }: JsonObject) =>
      arrayOf(statuses)
        .slice(0, maxParts)
        .map((status) => readStatus(objectOf(status), 'kind')),
  ],
  ['experimental/serverStatus', (params: JsonObject) => [readStatus(params, 'health')]], // rust-analyzer
  ['language/status', (params: JsonObject) => [readStatus(params, 'type')]], // Eclipse JDT LS
  ['$/typescriptVersion', (params: JsonObject) => [readVersion(params)]], // typescript-language-server
]);

/** Reads the status of servers. A repeated status is logged at level debug, even if another part or form repeats it. */
export class ServerStatus {
  /** The last status of each part. */
  private readonly last = new Map<string, string>();

  /** Describes a status notification; `undefined` for other notifications. */
  read(method: string, params: unknown): readonly ExchangeText[] | undefined {
    const statuses = readers.get(method)?.(objectOf(params));
    if (!statuses) return undefined;
    if (statuses.length === 0) return [{ level: 'debug', kind: 'notice', logger: 'status', message: '(none)' }];
    return statuses.map((status) => this.describe(method, status));
  }

  private describe(method: string, { part, level, text }: Status): ExchangeText {
    const key = `${method} ${part ?? ''}`;
    const isNew = ![...this.last.values()].includes(text);
    if (this.last.has(key) || this.last.size < maxParts) this.last.set(key, text);
    const message = part === undefined ? text : `${part}: ${text}`;
    return { level: isNew ? level : 'debug', kind: 'notice', logger: 'status', message };
  }
}

function readStatus(params: JsonObject, name: string): Status {
  const { message, busy, inactive, category } = params;
  const word = textOf(params[name]);
  const level = levelsByWord.get((word ?? '').toLowerCase());
  const detail = textOf(message);
  const text = textsOf(detail ?? word, busy === true && 'busy', inactive === true && 'inactive').join(', ');
  const part = textOf(category);
  return {
    ...(part !== undefined && { part: oneLine(part, 40) }),
    level: level ?? (detail === undefined ? 'debug' : 'info'),
    text: text === '' ? 'idle' : oneLine(text, 500),
  };
}

function readVersion({ version, source }: JsonObject): Status {
  const from = textOf(source);
  return {
    level: 'info',
    text: `TypeScript ${oneLine(textOf(version) ?? '(no version)', 40)}${from === undefined ? '' : ` (${oneLine(from, 40)})`}`,
  };
}
