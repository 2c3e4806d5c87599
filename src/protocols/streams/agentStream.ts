import type { JsonObject } from '../../log/json';
import type { EventWriter } from './eventWriter';

/** Interprets the events of one agent's stream. */
export interface AgentStream {
  /** True if the event is unambiguously this agent's. */
  recognises(event: JsonObject): boolean;
  /** True if the event could be this agent's, by its type. */
  resembles(event: JsonObject): boolean;
  /** Records an event. Unknown types are recorded with all their fields. */
  read(event: JsonObject, writer: EventWriter): void;
}
