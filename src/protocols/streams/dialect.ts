import type { JsonObject } from '../json';
import type { EventWriter } from './eventWriter';

/** Whose JSON stream it is. */
export type DialectName = 'claude' | 'qwen' | 'codex' | 'gemini' | 'opencode';

/** What the events of one agent's stream mean. */
export interface Dialect {
  readonly name: DialectName;
  /** Whether the event is this agent's beyond doubt. */
  recognises(event: JsonObject): boolean;
  /** Whether it could be this agent's, by its type. */
  resembles(event: JsonObject): boolean;
  /** Writes what the event says. One of an unknown type is written with all its fields. */
  read(event: JsonObject, writer: EventWriter): void;
}
