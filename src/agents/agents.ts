import type { JsonObject } from '../log/json';
import { arrayOf, isObject, objectOf } from '../log/json';
import type { KeyedLine } from '../protocols/saved/keyedLine';
import type { AgentStream } from '../protocols/streams/agentStream';
import type { AcpExtension } from './acpExtension';
import type { Agent } from './agent';
import { claude } from './claude/claude';
import { cline } from './cline/cline';
import { codex } from './codex/codex';
import { copilot } from './copilot/copilot';
import { gemini } from './gemini/gemini';
import { opencode } from './opencode/opencode';
import { pi } from './pi/pi';
import { qwen } from './qwen/qwen';
import type { SavedForm } from './savedForm';

const rooms = [claude, codex, gemini, qwen, opencode, copilot, pi, cline] as const;

export type AgentId = (typeof rooms)[number]['id'];

/** All of them save sessions. */
type KnownAgent = Agent & { readonly id: AgentId; readonly saved: SavedForm };

/** All agents, in the order in which they are listed. */
export const agents: readonly KnownAgent[] = rooms;

export function agentOf(id: AgentId): KnownAgent {
  const agent = agents.find((one) => one.id === id);
  if (!agent) throw new Error(`There is no agent ${id}`);
  return agent;
}

/** What the agents add to ACP. Their adapters have names of their own, so all are asked. */
export const acpExtensions: readonly AcpExtension[] = agents.flatMap(({ extension }) => extension ?? []);

/** How an agent saves sessions. */
export function formOf(id: AgentId): SavedForm {
  return agentOf(id).saved;
}

/** Variants first, because they also look like what they vary. */
const byRecognition = [...agents].sort((a, b) => Number(b.variantOf !== undefined) - Number(a.variantOf !== undefined));

/** An agent, and how to read what it wrote. */
interface Recognized<Form> {
  readonly id: AgentId;
  readonly form: Form;
}

/** Recognizes the agent of a saved session from one line, if it is unambiguous. */
export function recogniseSaved(line: JsonObject): Recognized<SavedForm> | undefined {
  const found = byRecognition.find(({ saved }) => saved.recognises(line));
  return found && { id: found.id, form: found.saved };
}

/** Converts a saved session in one JSON document into lines; `undefined` for any other document. */
export function documentLines(document: unknown): readonly KeyedLine[] | undefined {
  if (!isObject(document) || !Array.isArray(document['messages'])) return undefined;
  const messages = arrayOf(document['messages']).map(objectOf);
  for (const { saved } of agents) {
    const lines = saved.document?.(document, messages);
    if (lines) return lines;
  }
  return undefined;
}

/** Recognizes the agent of a stream from one event, if it is unambiguous; many events fit several. */
export function recogniseStream(event: JsonObject): Recognized<AgentStream> | undefined {
  const found = byRecognition.find(({ stream }) => stream?.recognises(event));
  const form = found && streamOf(found);
  return form && { id: found.id, form };
}

/** A stream that the event could be in. */
export function likelyStream(event: JsonObject): AgentStream | undefined {
  return agents.map(streamOf).find((stream) => stream?.resembles(event));
}

function streamOf({ stream, variantOf }: Agent): AgentStream | undefined {
  if (!stream || 'reader' in stream) return stream;
  const varied = agents.find(({ id }) => id === variantOf);
  return varied && streamOf(varied);
}

/** The first answer of an agent's extension of ACP. */
export function ofExtensions<T>(ask: (extension: AcpExtension) => T | undefined): T | undefined {
  for (const extension of acpExtensions) {
    const answer = ask(extension);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
