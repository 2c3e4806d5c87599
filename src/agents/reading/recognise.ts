import type { JsonObject } from '../../text/json';
import { arrayOf, isObject } from '../../text/json';
import { valueOrFields } from '../../protocols/leadingFields';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { clientLogProtocol } from '../../wire/journal/clientLog';
import { journalHeader } from '../../wire/journal/journalLine';
import { isProtocol } from '../../wire/protocol';
import type { Protocol, RunProtocol } from '../../wire/protocol';
import type { AgentId, SaverId } from '../agents';
import { recogniseSaved, recogniseStream, streamAgentOf } from '../agents';
import { spokenProtocol } from './spokenProtocol';
import { genAiName } from '../../protocols/traces/genAiEvent';
import { jaegerSpansOf } from '../../protocols/traces/jaegerSpans';
import { isOtlpTrace } from '../../protocols/traces/traceSpan';

/** The beginning of an export request of spans, of a Chrome trace, or of one of its events. The line may be cut. */
const traceLine =
  /^\s{0,100}(?:\[?\s{0,100}\{\s{0,100}"(?:resourceSpans|resource_spans|traceEvents|hrTime)"\s{0,100}:\s{0,100}\[|\[?\s{0,100}\{(?:"(?:pid|tid|ts|dur|name|cat|id)":\s?(?:"[^"\\]{0,200}"|[\d.]{1,30}),\s?){0,8}"ph":\s?"[A-Za-z]")/;

/** An export request of log records, or one of them. */
const logRecords =
  /^\s{0,100}\{\s{0,100}"(?:resourceLogs|resource_logs|hrTime|timeUnixNano|time_unix_nano|severityNumber|severity_number|body|resource)"/;

export const agentHost = 'agent-host';

/** The type of a file. */
export type Recognised =
  /** `protocol` comes from the header if it names one of the four or a saved session, otherwise from the messages. */
  | { readonly type: 'journal'; readonly header: JournalHeader; readonly protocol?: Protocol | 'saved' }
  /** Wire events, one per line, without a header. */
  | { readonly type: 'transcript'; readonly protocol?: Protocol }
  /** What another client logs of the messages. */
  | { readonly type: 'client-log'; readonly protocol: Protocol }
  /** What VS Code's agent host logs of its messages. */
  | { readonly type: typeof agentHost }
  | OfAgent
  /** Spans of OpenTelemetry (OTLP/JSON) or a Chrome trace. */
  | { readonly type: 'trace' }
  /** JSON that isn't an agent's stream: a log. */
  | { readonly type: 'log' }
  | { readonly type: 'text' };

type OfAgent =
  | { readonly type: 'stream-json'; readonly agent: AgentId }
  /** A session that an agent saved, one record per line. */
  | { readonly type: 'saved'; readonly agent: SaverId };

/** The protocol to read a file with: as in `agentLogs.agents`, or `log` or `saved`. */
export function protocolOfFile(found: Recognised): RunProtocol {
  if (found.type === 'client-log') return found.protocol;
  if (found.type === 'journal' || found.type === 'transcript') return found.protocol ?? 'acp';
  return found.type === 'text' ? 'log' : found.type;
}

/** Maximum number of lines to examine. */
const maxLines = 20;
const directions = new Set<unknown>(['c2a', 'a2c', 'err', 'ev']);

/**
 * Recognizes a file by its beginning. A line that was cut (the last one, or a very long one) is recognized by its first fields.
 * @param lines about the first 20 lines; empty ones are ignored
 */
export function recognise(lines: readonly string[]): Recognised {
  const clients = clientLogProtocol(lines.join('\n'));
  if (clients) return { type: 'client-log', protocol: clients };
  const told = lines.filter((line) => line.trim() !== '').slice(0, maxLines);
  const values = told.map(valueOrFields);
  const entries = values.map((value) => (isObject(value) ? value : undefined));
  const header = entries[0] && journalHeader(entries[0]);
  if (header?.protocol === 'saved') return { type: 'journal', header, protocol: 'saved' };
  if (header) return { type: 'journal', header, ...protocolOf(entries.slice(1), header.protocol) };
  if (mostAre(entries, isWireEvent)) return { type: 'transcript', ...protocolOf(entries) };
  // VS Code's agent host speaks a protocol of its own.
  if (mostAre(entries, (entry) => isObject(entry?.['_ahpLog']))) return { type: agentHost };
  // Programs may log something before their first span.
  if (lines.some(isTraceLine) || values.some(isTrace)) return { type: 'trace' };
  const ofAgent = recogniseAgent(entries);
  if (ofAgent) return ofAgent;
  return { type: mostAre(entries, (entry) => entry !== undefined) ? 'log' : 'text' };
}

/** Recognizes what an agent wrote. @param entries lines, parsed */
export function recogniseAgent(entries: readonly unknown[]): OfAgent | undefined {
  let undecided: OfAgent | undefined;
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    // Before the streams, because some saved sessions have the same format.
    const saved = recogniseSaved(entry);
    const stream = recogniseStream(entry);
    if (saved && stream?.form.isShared?.(entry) === true) undecided ??= { type: 'saved', agent: saved.id };
    else if (saved) return { type: 'saved', agent: saved.id };
    else if (stream) return { type: 'stream-json', agent: streamAgentOf(entries, stream.id) };
  }
  return undecided;
}

/** Whether a line of a log has spans, or log records about generative AI. */
export function isTraceLine(line: string): boolean {
  if (traceLine.test(line.slice(0, 2000))) return true;
  return logRecords.test(line.slice(0, 200)) && line.includes(genAiName);
}

/** What the beginning of a line doesn't tell. */
function isTrace(value: unknown): boolean {
  const [entry] = Array.isArray(value) ? arrayOf(value) : [value];
  if (!isObject(entry)) return false;
  return Array.isArray(entry['traceEvents']) || isOtlpTrace(entry) || jaegerSpansOf(entry) !== undefined;
}

function read(line: string): JsonObject | undefined {
  const value = valueOrFields(line);
  return isObject(value) ? value : undefined;
}

function isWireEvent(entry: JsonObject | undefined): boolean {
  return typeof entry?.['t'] === 'string' && directions.has(entry['dir']);
}

function protocolOf(entries: readonly (JsonObject | undefined)[], named?: string): { protocol?: Protocol } {
  const protocol = isProtocol(named) ? named : spokenProtocol(entries.filter(isObject).flatMap(messagesOf));
  return protocol === undefined ? {} : { protocol };
}

/** The messages of a line: parsed in a journal, as text in a recorded transcript. */
function messagesOf({ dir, msg, line }: JsonObject): readonly unknown[] {
  if (dir !== 'c2a' && dir !== 'a2c') return [];
  if (typeof line !== 'string') return Array.isArray(msg) ? arrayOf(msg) : [msg];
  return [read(line) ?? line];
}

function mostAre<T>(items: readonly T[], fits: (item: T) => boolean): boolean {
  return items.length > 0 && items.filter(fits).length * 2 >= items.length;
}
