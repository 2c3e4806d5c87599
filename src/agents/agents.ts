import type { JsonObject } from '../text/json';
import { isObject, objectOf } from '../text/json';
import type { KeyedLine } from './reading/saved/keyedLine';
import type { AgentStream } from './reading/streams/agentStream';
import { AcpExtensions } from '../protocols/acp/extension';
import type { Agent } from './agent';
import { auggie } from './auggie/auggie';
import { claude } from './claude/claude';
import { cline } from './cline/cline';
import { codex } from './codex/codex';
import { continueCli } from './continue/continue';
import { copilot } from './copilot/copilot';
import { cursor } from './cursor/cursor';
import { droid } from './droid/droid';
import { gemini } from './gemini/gemini';
import { goose } from './goose/goose';
import { kilo } from './kilo/kilo';
import { kimi } from './kimi/kimi';
import { letta } from './letta/letta';
import { opencode } from './opencode/opencode';
import { pi } from './pi/pi';
import { qwen } from './qwen/qwen';
import { vscode } from './vscode/vscode';
import { zed } from './zed/zed';
import type { SavedForm, SavedInFiles } from './savedForm';

const rooms = [
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  copilot,
  pi,
  cline,
  kimi,
  droid,
  kilo,
  letta,
  continueCli,
  auggie,
  vscode,
  goose,
  cursor,
  zed,
] as const;

type Room = (typeof rooms)[number];

export type AgentId = Room['id'];
/** The ID of an agent that saves sessions. */
export type SaverId = Extract<Room, { readonly saved: SavedForm }>['id'];

type KnownAgent = Agent & { readonly id: AgentId };
/** An agent that saves sessions. Others only print a stream. */
type Saver = Agent & { readonly id: SaverId; readonly saved: SavedForm };

/** All agents, in the order in which they are listed. */
export const agents: readonly KnownAgent[] = rooms;

/** Those that save sessions. */
export const savers: readonly Saver[] = rooms.filter((room): room is Extract<Room, Saver> => 'saved' in room);

export function saverOf(id: SaverId): Saver {
  const saver = savers.find((one) => one.id === id);
  if (!saver) throw new Error(`${id} saves no sessions`);
  return saver;
}

/** Those that a program's name has, such as that of `claude-agent-acp`. */
export function saversIn(name: string): readonly SaverId[] {
  const words = name.toLowerCase().split(/[^a-z]+/);
  return savers.flatMap(({ id }) => (words.includes(id) ? [id] : []));
}

/** What the agents add to ACP. */
export const acpExtensions = new AcpExtensions(agents.flatMap(({ extension }) => extension ?? []));

/** How an agent saves sessions. */
export function formOf(id: SaverId): SavedForm {
  return saverOf(id).saved;
}

/** The same for one that saves them as lines or documents; empty for any other. */
export function filesFormOf(id: SaverId): Partial<SavedInFiles> {
  const form = formOf(id);
  return form.type === 'files' ? form : {};
}

/** Variants first, because they also look like what they vary. */
function variantsFirst<T extends Agent>(all: readonly T[]): readonly T[] {
  return [...all].sort((a, b) => Number(b.variantOf !== undefined) - Number(a.variantOf !== undefined));
}

const saversByRecognition = variantsFirst(savers);

/** An agent, and how to read what it wrote. */
interface Recognized<Id, Form> {
  readonly id: Id;
  readonly form: Form;
}

/** The streams, in the order in which they recognize an event. */
const streams = variantsFirst(agents).flatMap((agent) => {
  const form = streamOf(agent);
  return form ? [{ id: agent.id, variantOf: agent.variantOf, form }] : [];
});

/** Recognizes the agent of a saved session from one line, if it is unambiguous. */
export function recogniseSaved(line: JsonObject): Recognized<SaverId, SavedForm> | undefined {
  const found = saversByRecognition.find(({ saved }) => saved.recognises(line));
  return found && { id: found.id, form: found.saved };
}

/** Converts a saved session in one JSON document into lines; `undefined` for any other document. */
export function documentLines(document: unknown): readonly KeyedLine[] | undefined {
  if (!isObject(document)) return undefined;
  for (const { saved } of savers) {
    const messages = saved.document && document[saved.document.list];
    const lines = Array.isArray(messages) && saved.document?.lines(document, messages.map(objectOf));
    if (lines) return lines;
  }
  return undefined;
}

/**
 * Recognizes the agent of a stream from one event, if it is unambiguous; many events fit several.
 * @param before the agent of earlier events; those of the agent that it varies are its own
 */
export function recogniseStream(event: JsonObject, before?: AgentId): Recognized<AgentId, AgentStream> | undefined {
  const found = streams.find(({ form }) => form.recognises(event));
  return streams.find(({ id, variantOf }) => id === before && variantOf === found?.id) ?? found;
}

/** A stream that the event could be in. */
export function likelyStream(event: JsonObject): AgentStream | undefined {
  return streams.find(({ form }) => form.resembles(event))?.form;
}

/** The agent of a stream that begins with such an event, if one that varies it isn't told by a later one. */
export function streamAgentOf(events: readonly unknown[], first: AgentId): AgentId {
  const variants = streams.filter(({ variantOf }) => variantOf === first);
  return variants.find(({ form }) => events.some((event) => isObject(event) && form.recognises(event)))?.id ?? first;
}

function streamOf({ stream, variantOf }: Agent): AgentStream | undefined {
  if (!stream || 'reader' in stream) return stream;
  const other = agents.find(({ id }) => id === variantOf);
  const varied = other && streamOf(other);
  return (
    varied && {
      ...varied,
      recognises: (event) => stream.recognises(event),
      resembles: () => false,
      reader: () => stream.vary(varied.reader()),
    }
  );
}
