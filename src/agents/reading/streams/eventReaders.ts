import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { JsonObject } from '../../../text/json';
import { textOf } from '../../../text/json';
import { readUnknownEvent } from './unknownEvent';

type ReadEvent = (event: JsonObject, writer: AgentWriter) => void;

/** Reads each event of a stream by its type. */
export function byType(readers: Readonly<Record<string, ReadEvent>>): AgentReader {
  const known = new Map(Object.entries(readers));
  return { read: (event, writer) => (known.get(textOf(event['type']) ?? '') ?? readUnknownEvent)(event, writer) };
}

/** Reads `system` events: only `init` is known, with which a run starts. */
export function startOf(agent: string): ReadEvent {
  return (event, writer) => {
    if (event['subtype'] !== 'init') return readUnknownEvent(event, writer);
    writer.runStarted({ agent, model: textOf(event['model']), folder: textOf(event['cwd']) });
  };
}
