import { BoundedMap } from '../../log/boundedMap';
import type { SubagentFact } from '../../work/activity';
import type { ToolCall } from '../../work/toolCall';
import type { TurnEnd } from '../../work/turn';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Findings, Found, Rule, ToolEnded } from '../rule';
import { toolFinding } from '../failures/toolEnd';

const maxSessions = 500;
const maxHeld = 100;
/** How long the failure of a tool that waits for a subagent is held back, in milliseconds: the subagent's own report may follow. */
const maxHold = 2000;

/** Tools that failed, whatever the status of their call. */
export class ToolFailures implements Rule {
  private readonly reported = new WeakSet<ToolCall>();
  /** The latest turn with a subagent that failed, by the session that started it. */
  private readonly failed = new BoundedMap<string, string | undefined>(maxSessions);
  /** Failures of tools that wait for subagents, by session. */
  private readonly held = new BoundedMap<string, Finding>(maxHeld);

  turnEnded({ turn: { sessionId } }: TurnEnd): Findings {
    return this.release(sessionId);
  }

  /** A subagent with a session reports its own failure, so that of the tool that waited for it is its consequence. */
  subagent({ change, outcome, sessionId = '' }: SubagentFact, { protocol, work }: Conversation): Findings {
    if (change !== 'ended' || outcome !== 'failed' || protocol !== 'acp') return undefined;
    this.failed.set(sessionId, work.turnOf(sessionId)?.id);
    const found = this.release(sessionId);
    return found && { ...found, level: 'notice' };
  }

  passed(t: number): Findings {
    if (this.held.size === 0) return undefined;
    const due = this.held.values().filter(({ at }) => t - at > maxHold);
    return due.map(({ sessionId = '' }) => this.release(sessionId));
  }

  finished(): Findings {
    return this.held.keys().map((sessionId) => this.release(sessionId));
  }

  isWatching(): boolean {
    return this.held.size > 0;
  }

  toolEnded({ tool, event }: ToolEnded, conversation: Conversation): Findings {
    // An MCP tool whose request failed has no outcome.
    const hasEnd = tool.outcome !== undefined || tool.output !== '';
    if (this.reported.has(tool) || !tool.hasEnded || !hasEnd) return undefined;
    const found = toolFinding(tool);
    if (!found) return undefined;
    this.reported.add(tool);
    return tool.isDelegation ? this.ofDelegation(found, event, tool, conversation) : found;
  }

  /** Whether a failed tool or the subagent that it waited for failed: the subagent's end may come before or after. */
  private ofDelegation(
    found: Found,
    event: ToolEnded['event'],
    { sessionId }: ToolCall,
    { protocol, work }: Conversation,
  ): Findings {
    const turn = work.turnOf(sessionId);
    if (turn && this.failed.get(sessionId) === turn.id) return { ...found, level: 'notice' };
    if (!turn || turn.subagents.size === 0 || protocol !== 'acp') return found;
    const before = this.release(sessionId);
    const raw = 'line' in event ? event.line : undefined;
    this.held.set(sessionId, { ...found, sessionId, at: event.t, raw, evidence: undefined });
    return before;
  }

  private release(sessionId: string): Finding | undefined {
    const found = this.held.get(sessionId);
    this.held.delete(sessionId);
    return found;
  }
}
