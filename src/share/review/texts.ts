import { isObject } from '../../text/json';
import { deepJson, parsedJson } from '../../text/jsonText';
import type { RecordWords } from '../../text/record';
import type { EndCause, Termination } from '../../wire/termination';
import type { Words } from '../../text/translator';
import { inEnglish, mapArgs } from '../../text/translator';
import type { ChangedFile } from '../../work/changes/fileChange';
import type { SharedMessage, SharedRecord, SharedRun, SharedSession, SharedSpan } from '../sharedRun';
import type { Pauses } from './pauses';
import type { TextPlace } from './place';

export interface TextChange {
  /** False only if no text of this line of JSON would change. */
  mayChange(json: string): boolean;
  /** @param field the name of the member of JSON that has the text, if it is in one */
  change(text: string, place: TextPlace, field?: string): string;
}

/** JSON that is nested more deeply is changed as a text. */
const maxDepth = 100;

/** Changes all texts of a shared run. What doesn't change stays the same object. */
export async function mapTexts(run: SharedRun, change: TextChange, pauses: Pauses): Promise<SharedRun> {
  const one = new RunTexts(change);
  return {
    ...run,
    name: one.text(run.name, { tab: 'log' }),
    sessions: run.sessions.map((session) => one.session(session)),
    ...(run.termination && { termination: one.termination(run.termination) }),
    records: await mapped(run.records, (record) => one.record(record), pauses),
    messages: await mapped(run.messages, (message) => one.message(message), pauses),
    spans: await mapped(run.spans, (span) => one.span(span), pauses),
  };
}

/** Maps a long list, with pauses. */
export async function mapped<T>(items: readonly T[], change: (item: T) => T, pauses: Pauses): Promise<readonly T[]> {
  const result: T[] = [];
  for (const item of items) {
    result.push(change(item));
    if (pauses.isDue) await pauses.pause();
  }
  return result;
}

class RunTexts {
  constructor(private readonly change: TextChange) {}

  text(text: string, place: TextPlace): string {
    return this.change.change(text, place);
  }

  session({ title, ...session }: SharedSession): SharedSession {
    return { ...session, ...(title !== undefined && { title: this.text(title, { tab: 'log' }) }) };
  }

  record(record: SharedRecord): SharedRecord {
    const place: TextPlace = { tab: 'log', seq: record.seq };
    const { logger, words, data, raw } = record;
    const changed = words && this.recordWords(words, place);
    return {
      ...record,
      ...(logger !== undefined && { logger: this.text(logger, place) }),
      message: this.text(record.message, place),
      ...(changed && { words: changed }),
      ...(data !== undefined && { data: mapValue(data, this.change, place) }),
      ...(raw !== undefined && { raw: mapLines(raw, this.change, place) }),
    };
  }

  message(entry: SharedMessage): SharedMessage {
    const place: TextPlace = { tab: 'wire', seq: entry.seq };
    const { message, answer, id } = entry;
    return {
      ...entry,
      carried: this.text(entry.carried, place),
      id: id === undefined ? undefined : this.change.change(id, place, 'id'),
      ...(message !== undefined && { message: mapLines(message, this.change, place) }),
      ...(answer !== undefined && { answer: mapLines(answer, this.change, place) }),
    };
  }

  private file({ path, from, ...file }: ChangedFile, place: TextPlace): ChangedFile {
    return { ...file, path: this.text(path, place), ...(from !== undefined && { from: this.text(from, place) }) };
  }

  span(span: SharedSpan): SharedSpan {
    const place: TextPlace = { tab: 'turns', seq: span.firstSeq };
    const { detail, toolName, changes, diff } = span;
    return {
      ...span,
      title: this.text(span.title, place),
      ...(changes && { changes: changes.map((file) => this.file(file, place)) }),
      ...(diff !== undefined && { diff: this.text(diff, place) }),
      ...(detail !== undefined && { detail: this.text(detail, place) }),
      ...(toolName !== undefined && { toolName: this.text(toolName, place) }),
    };
  }

  termination(termination: Termination): Termination {
    const place: TextPlace = { tab: 'log' };
    const { message, stderr, cause } = termination;
    const text = (one: string): string => this.text(one, place);
    return {
      ...termination,
      ...(message && { message: this.words(message, place) }),
      ...(stderr && {
        stderr: {
          ...stderr,
          ...(stderr.head !== undefined && { head: text(stderr.head) }),
          ...(stderr.tail !== undefined && { tail: text(stderr.tail) }),
        },
      }),
      ...(cause && { cause: mapCause(cause, (words) => this.words(words, place)) }),
    };
  }

  private recordWords({ what, advice }: RecordWords, place: TextPlace): RecordWords {
    return { what: this.words(what, place), ...(advice && { advice: this.words(advice, place) }) };
  }

  private words(words: Words, place: TextPlace): Words {
    return mapArgs(words, (arg) => this.text(arg, place));
  }
}

function mapCause(cause: EndCause, change: (words: Words) => Words): EndCause {
  const { what, advice, short } = cause;
  return {
    ...cause,
    ...(what && { what: change(what) }),
    ...(advice && { advice: change(advice) }),
    ...(short && { short: change(short) }),
  };
}

/** The message of a record with these words. */
export function messageOf({ what, advice }: RecordWords): string {
  return [what, ...(advice ? [advice] : [])].map(inEnglish).join('. ');
}

/** A line of JSON, several of them, or any text. */
function mapLines(text: string, change: TextChange, place: TextPlace): string {
  // An escape may hide any letter.
  if (!text.includes('\\u') && !change.mayChange(text)) return text;
  const whole = mapJson(text, change, place);
  if (whole !== undefined) return whole;
  if (!text.includes('\n')) return change.change(text, place);
  return text
    .split('\n')
    .map((line) => mapJson(line, change, place) ?? change.change(line, place))
    .join('\n');
}

function mapJson(text: string, change: TextChange, place: TextPlace): string | undefined {
  const value = /^\s*[{[]/.test(text) ? parsedJson(text) : undefined;
  if (value === undefined) return undefined;
  const changed = mapValue(value, change, place);
  return changed === value ? text : deepJson(changed);
}

/** Changes all texts in a JSON value, also the names of members. Returns the same value if nothing changes. */
function mapValue(value: unknown, change: TextChange, place: TextPlace, field?: string, depth = 0): unknown {
  if (typeof value === 'string') return change.change(value, place, field);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return change.change(deepJson(value), place, field);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapValue(item, change, place, field, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  const changed = members.map(
    ([name, member]) => [change.change(name, place), mapValue(member, change, place, name, depth + 1)] as const,
  );
  const isSame = members.every(([name, member], index) => changed[index]?.[0] === name && changed[index][1] === member);
  return isSame ? value : Object.fromEntries(changed);
}
