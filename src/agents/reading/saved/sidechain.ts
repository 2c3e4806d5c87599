import type { JsonObject } from '../../../text/json';
import { textOf } from '../../../text/json';
import type { AgentSession } from '../../../protocols/agentWriter/verbs';

/** The session of a line in Claude Code and Qwen Code: a subagent has its parent's session ID and an agent ID. */
export function sidechainIds(line: JsonObject): AgentSession | undefined {
  const session = textOf(line['sessionId']);
  if (session === undefined) return undefined;
  const agent = line['isSidechain'] === true ? textOf(line['agentId']) : undefined;
  return agent === undefined ? { id: session } : { id: `${session}/${agent}`, parent: session };
}
