import type { JsonObject } from '../../log/json';
import type { EventWriter } from './eventWriter';

/** Agents with a known JSON stream. */
export type DialectName = 'claude' | 'qwen' | 'codex' | 'gemini' | 'opencode';

/** Interprets the events of one agent's stream. */
export interface Dialect {
  readonly name: DialectName;
  /** True if the event is unambiguously this agent's. */
  recognises(event: JsonObject): boolean;
  /** True if the event could be this agent's, by its type. */
  resembles(event: JsonObject): boolean;
  /** Records an event. Unknown types are recorded with all their fields. */
  read(event: JsonObject, writer: EventWriter): void;
}
