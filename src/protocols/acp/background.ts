import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { boundedJson } from '../../text/boundedJson';
import { ownTail } from '../../text/ownText';
import { oneLine } from '../../text/text';
import type { SubagentFact } from '../../work/activity';
import { maxActivityId } from '../../work/activity';
import type { AcpSession, Item, Terminal } from './session';
import { keyOf } from './session';
import { nameIn } from './subagents';
import { headOf, titleOf } from './toolCalls';
import { describeBackground, describeTerminal, maxOutput } from './words';
import type { AcpWriter } from './writer';

const maxItems = 100;
/** Maximum length to keep of a command and of the end of its output, in characters. Allows for whitespace that isn't shown. */
const maxKept = 4 * maxOutput;
/** Maximum length of base64 to decode: enough for `maxKept` in any encoding. */
const maxBase64 = 65_536;

type ItemFact = Pick<SubagentFact, 'type' | 'change' | 'id' | 'title' | 'outcome'>;

/** Reads a `terminal_update`, which contains only changed fields. */
export function terminalUpdated(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const terminal = terminalOf(session, update);
  const command = headOf(update['command'], maxKept);
  const isNew = command !== undefined && command !== terminal.command;
  terminal.command = command ?? terminal.command;
  const { data } = objectOf(update['output']);
  if (data !== undefined) terminal.output = ownTail(new TextDecoder().decode(bytesOf(tailOf(data))), maxKept);
  out.record(session.id, describeTerminal(terminal, update, isNew));
}

/** Reads a `terminal_output_chunk`. */
export function terminalPrinted(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const terminal = terminalOf(session, update);
  const text = terminal.decoder.decode(bytesOf(update['data']), { stream: true });
  terminal.output = ownTail(terminal.output + text, maxKept);
  out.add({ sessionId: session.id, speaker: 'terminal', messageId: textOf(update['terminalId']), text });
}

function terminalOf({ terminals }: AcpSession, { terminalId }: JsonObject): Terminal {
  const key = keyOf(textOf(terminalId) ?? '');
  return terminals.ensure(key, () => ({ command: undefined, output: '', decoder: new TextDecoder() }));
}

/** The client cancels a terminal. */
export function terminalCancelled(session: AcpSession, { terminalId }: JsonObject): void {
  const id = textOf(terminalId);
  if (id !== undefined) session.cancelled.set(itemKey(`terminal ${id}`), true);
}

/**
 * Reads the list of a session's background work, which replaces the previous one. A missing or malformed list changes nothing. Returns what
 * ended and started.
 */
export function backgroundListed(session: AcpSession, { background }: JsonObject, out: AcpWriter): readonly ItemFact[] {
  if (!Array.isArray(background)) return [];
  const items = arrayOf(background)
    .slice(0, maxItems)
    .filter(isObject)
    .map((item) => itemOf(session, item, out));
  const before = session.background;
  if (items.map(({ id }) => id).join('\n') === before.map(({ id }) => id).join('\n')) return [];
  session.background = items;
  out.record(session.id, describeBackground(items));
  const ended = without(before, items).map(({ id, title }): ItemFact => {
    const outcome = session.cancelled.has(itemKey(id)) ? 'cancelled' : undefined;
    return { type: 'subagent', change: 'ended', id, title, outcome };
  });
  const started = without(items, before).flatMap(({ id, title, isSubagent }): ItemFact[] =>
    isSubagent ? [] : [{ type: 'subagent', change: 'started', id, title }],
  );
  return [...ended, ...started];
}

function itemOf(session: AcpSession, item: JsonObject, { sessions }: AcpWriter): Item {
  const childId = textOf(item['sessionId']);
  const id = childId ?? textOf(item['terminalId']) ?? textOf(item['toolCallId']) ?? textOf(item['taskId']);
  const title = oneLine(childId === undefined ? nameOf(session, item) : nameIn(sessions, childId), 200);
  return {
    id: `${textOf(item['type']) ?? ''} ${id ?? title}`.slice(0, maxActivityId),
    title,
    isSubagent: childId !== undefined,
  };
}

/** The name of work that isn't a subagent's. */
function nameOf(session: AcpSession, item: JsonObject): string {
  const terminalId = textOf(item['terminalId']);
  if (terminalId !== undefined) return session.terminals.get(keyOf(terminalId))?.command ?? 'a terminal';
  const title = titleOf(session, item['toolCallId']) ?? textOf(item['title']) ?? textOf(item['description']);
  return title ?? textOf(item['type']) ?? boundedJson(item, 100);
}

function without(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  return items.filter(({ id }) => !others.some((other) => other.id === id));
}

function itemKey(item: string): string {
  return keyOf(item.slice(0, maxActivityId));
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
