import type { AgentSession } from '../../../protocols/agentWriter/verbs';
import { BoundedMap } from '../../../text/boundedMap';
import type { JsonObject } from '../../../text/json';
import { textOf } from '../../../text/json';

/** Maximum number of a subagent's lines to remember. */
const maxLines = 10_000;

/**
 * The sessions of lines in Claude Code and Qwen Code: a subagent has its parent's session ID and an agent ID. Claude Code 1 writes subagents without
 * an ID into the file of their parent; each is a chain of lines, named after its first.
 */
export class Sidechains {
  /** The agents of lines without one, by the IDs of the lines. */
  private readonly agents = new BoundedMap<string, string>(maxLines);

  idsOf(line: JsonObject): AgentSession | undefined {
    const session = textOf(line['sessionId']);
    if (session === undefined) return undefined;
    const agent = line['isSidechain'] === true ? (textOf(line['agentId']) ?? this.agentOf(line)) : undefined;
    return agent === undefined ? { id: session } : { id: `${session}/${agent}`, parent: session };
  }

  private agentOf(line: JsonObject): string | undefined {
    const id = textOf(line['uuid']);
    if (id === undefined) return undefined;
    const agent = this.agents.get(textOf(line['parentUuid']) ?? '') ?? id;
    this.agents.set(id, agent);
    return agent;
  }
}
