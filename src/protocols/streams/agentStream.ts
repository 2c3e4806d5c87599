import type { JsonObject } from '../../log/json';
import type { AgentReader } from '../agentWriter/agentReader';

/** The JSON stream of one agent. */
export interface AgentStream {
  /** Fields that contain the session ID. None if its reader knows the session. Default: the usual names. */
  readonly sessionIdNames?: readonly string[];
  /** True if the event is unambiguously this agent's. */
  recognises(event: JsonObject): boolean;
  /** True if the event could be this agent's, by its type. */
  resembles(event: JsonObject): boolean;
  /** Records events. Unknown types are recorded with all their fields. */
  reader(): AgentReader;
}
