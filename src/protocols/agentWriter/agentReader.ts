import type { JsonObject } from '../../text/json';
import type { AgentWriter } from './agentWriter';

/** Reads what one agent wrote, line by line: its stream, or a file of a saved session. */
export interface AgentReader {
  read(line: JsonObject, writer: AgentWriter): void;
  /** Reads a line of standard error. Returns true if a tool printed it: it says nothing about the agent. */
  readStderr?(line: string, writer: AgentWriter): boolean;
}
