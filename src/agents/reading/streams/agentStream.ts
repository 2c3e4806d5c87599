import type { JsonObject } from '../../../text/json';
import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import type { Tried } from '../../tried';
import type { WriterPolicy } from '../../../protocols/agentWriter/verbs';

/** The JSON stream of one agent. */
export interface AgentStream {
  readonly tried: Tried;
  /** How its turns start and end. Default: `ofStream`. */
  readonly policy?: WriterPolicy;
  /** Fields that contain the session ID. None if its reader knows the session. Default: the usual names. */
  readonly sessionIdNames?: readonly string[];
  /** True if the event is unambiguously this agent's. */
  recognises(event: JsonObject): boolean;
  /** True if the event could be this agent's, by its type. */
  resembles(event: JsonObject): boolean;
  /** True if the agent's saved sessions have this line too, so that other lines of a file decide which of the two it is. Default: never. */
  isShared?(event: JsonObject): boolean;
  /** Records events. Unknown types are recorded with all their fields. */
  reader(): AgentReader;
}

/** The JSON stream of an agent that prints another agent's events. */
export interface StreamVariant extends Pick<AgentStream, 'recognises' | 'tried'> {
  /** Reads what differs. @param varied reads everything else */
  vary(varied: AgentReader): AgentReader;
}
