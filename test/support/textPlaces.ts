import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Protocol } from '../../src/wire/protocol';
import { parsedJson } from '../../src/text/jsonText';
import { documentLines } from '../../src/agents/agents';
import type { WireEvent } from '../../src/wire/wireEvent';
import { readTranscript } from './transcript';

/** A recording whose texts can be replaced. */
export interface Recording {
  readonly name: string;
  readonly protocol: Protocol | 'saved';
  readonly events: readonly WireEvent[];
}

/** Texts of a kind of message that can be replaced: a field, or all but those that say what kind it is. */
export interface TextPlace {
  readonly recording: Recording;
  /** The kind of message, and the path to the text. */
  readonly name: string;
  /** Number of texts in each message. */
  readonly count: number;
  /** The recording with another text in this place, up to a few events after it. */
  eventsWith(text: string): WireEvent[];
}

/** How many messages of the same kind get the text: an ID has to be the same at the start and at the end. */
const maxChanged = 3;
/** How many events follow the last changed one. */
const maxFollowing = 12;
/** Fields that say what kind of message or part it is. */
const kindFields = ['method', 'type', 'subtype', 'sessionUpdate', 'role', 'kind', 'status', 'state'];

/** Every real and written recording in the fixtures. */
export function allRecordings(): Recording[] {
  const of = (folder: string, read: (file: string, name: string) => Recording | undefined): Recording[] =>
    readdirSync(join('test/fixtures', folder))
      .filter((name) => /\.(?:ndjson|jsonl|json)$/.test(name))
      .flatMap((name) => read(join('test/fixtures', folder, name), `${folder}/${name}`) ?? []);
  return [
    ...of('acp', (file, name) => ({ name, protocol: 'acp', events: readTranscript(file) })),
    ...['transcripts', 'handwritten'].flatMap((folder) =>
      of(folder, (file, name) => ({ name, protocol: protocolOf(name), events: readTranscript(file) })),
    ),
    ...of('streams', (file, name) => ({ name, protocol: 'stream-json', events: messagesOf(linesOf(file)) })),
    ...of('saved', (file, name) => ({ name, protocol: 'saved', events: messagesOf(linesOf(file)) })),
  ];
}

function protocolOf(name: string): Protocol {
  return name.includes('/mcp-') ? 'mcp' : name.includes('/lsp-') ? 'lsp' : 'acp';
}

function linesOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.json')) return text.split('\n').filter((line) => line !== '');
  return (documentLines(JSON.parse(text) as unknown) ?? []).map(({ line }) => JSON.stringify(line));
}

function messagesOf(lines: readonly string[]): WireEvent[] {
  return lines.map((line, t) => messageOf(t, 'a2c', line));
}

function messageOf(t: number, dir: 'a2c' | 'c2a', line: string): WireEvent {
  return { t, dir, line, msg: parsedJson(line) };
}

type Path = readonly (string | number)[];

/** Where a text is: in a message's JSON (`undefined` inside a path: JSON in a text), or in the line of an event. */
interface Spot {
  readonly index: number;
  readonly paths: readonly Path[];
}

/** JSON in a text. */
const inText = '(json)';
/** The name of a member, added to an object. */
const newName = '(name)';

/** All places of a recording: one for each field of each kind of message, and one for each kind of message. */
export function placesOf(recording: Recording): { readonly fields: TextPlace[]; readonly messages: TextPlace[] } {
  const fields = new Map<string, Spot[]>();
  const messages = new Map<string, Spot[]>();
  const methods = new Map<string, string>();
  const add = (spots: Map<string, Spot[]>, name: string, spot: Spot): void => {
    const known = spots.get(name) ?? [];
    if (known.length < maxChanged) known.push(spot);
    spots.set(name, known);
  };
  recording.events.forEach((event, index) => {
    const texts =
      event.dir === 'ev'
        ? textsIn(event, [], event.ev).filter(([[first]]) => first !== 'dir' && first !== 'ev')
        : event.dir === 'err' || event.msg === undefined
          ? []
          : textsIn(event.msg, [], `${event.dir} ${requestOf(event.dir, event.msg, methods)}`);
    if (event.dir !== 'ev') add(fields, `${event.dir} line`, { index, paths: [[]] });
    for (const [path, name] of texts) add(fields, name, { index, paths: [path] });
    const inner = texts.filter(([path]) => !decides(path));
    const kind = [...new Set(inner.map(([, name]) => name))].join(' ');
    if (inner.length > 0) add(messages, kind, { index, paths: inner.map(([path]) => path) });
  });
  const placed = (spots: Map<string, Spot[]>): TextPlace[] =>
    [...spots].map(([name, all]) => ({
      recording,
      name,
      count: all[0]?.paths.length ?? 1,
      eventsWith: (text) => changed(recording.events, all, text),
    }));
  return { fields: placed(fields), messages: placed(messages) };
}

/** Whether a text decides how the others are read: it says what kind of message it is in, or what it belongs to. */
function decides(path: Path): boolean {
  const last = path.findLast((step) => typeof step === 'string') ?? '';
  return (
    path.includes(inText) ||
    [...kindFields, newName, 'jsonrpc'].includes(last) ||
    /(?:^id|Id|ID|_id|uuid)s?$/.test(last)
  );
}

/** The method of the request that a response answers. */
function requestOf(dir: string, msg: unknown, methods: Map<string, string>): string {
  if (typeof msg !== 'object' || msg === null || !('id' in msg)) return '';
  if ('method' in msg) {
    methods.set(`${dir} ${String(msg.id)}`, String(msg.method));
    return '';
  }
  return `answer to ${methods.get(`${dir === 'a2c' ? 'c2a' : 'a2c'} ${String(msg.id)}`)}`;
}

/** The paths of all texts in a value, each with a name that is the same in all messages of its kind. */
function textsIn(value: unknown, path: Path, name: string): (readonly [Path, string])[] {
  if (typeof value === 'string') {
    const inner = /^[{[]/.test(value) ? parsedJson(value) : undefined;
    const below = inner === undefined ? [] : textsIn(inner, [...path, inText], `${name} ${inText}`);
    return [[path, name], ...below];
  }
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((one, n) => textsIn(one, [...path, n], `${name}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const kinds = kindFields.flatMap((field) => {
    const kind = (value as Record<string, unknown>)[field];
    return typeof kind === 'string' && kind.length < 60 ? [kind] : [];
  });
  const own = `${name}${kinds.length > 0 ? ` (${kinds.join(' ')})` : ''}`;
  const members = Object.entries(value).flatMap(([field, one]) => textsIn(one, [...path, field], `${own}.${field}`));
  return [...members, [[...path, newName], `${own}.${newName}`]];
}

function changed(events: readonly WireEvent[], spots: readonly Spot[], text: string): WireEvent[] {
  const last = spots.at(-1)?.index ?? 0;
  const paths = new Map(spots.map((spot) => [spot.index, spot.paths]));
  return events.slice(0, last + 1 + maxFollowing).map((event, index) => {
    const here = paths.get(index);
    return here ? changedEvent(event, here, text) : event;
  });
}

function changedEvent(event: WireEvent, paths: readonly Path[], text: string): WireEvent {
  const replace = (value: unknown): unknown => paths.reduce((changing, path) => replaced(changing, path, text), value);
  if (event.dir === 'ev') return replace(event) as WireEvent;
  if (event.dir === 'err') return { ...event, line: text };
  return messageOf(event.t, event.dir, paths[0]?.length === 0 ? text : JSON.stringify(replace(event.msg)));
}

function replaced(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (step === newName) return { ...(value as object), [text]: text.slice(0, 10) };
  if (step === inText) return JSON.stringify(replaced(parsedJson(value as string), rest, text));
  if (Array.isArray(value)) return value.map((one: unknown, n) => (n === step ? replaced(one, rest, text) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: replaced(object[step], rest, text) };
}
