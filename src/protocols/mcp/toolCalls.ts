import { ownHead } from '../../log/ownText';
import { oneLine } from '../../log/text';
import type { ToolFact } from '../activity/activity';
import { maxActivityId } from '../activity/activity';
import { contentTextOf } from '../activity/toolOutput';
import { BoundedMap } from '../boundedMap';
import type { LineFact } from '../facts';
import { objectOf, textOf } from '../json';

const maxCalls = 500;
const maxName = 200;

/** Reads the tools that the client calls (MCP "Tools"). */
export class ToolCalls {
  /** Names of the called tools, by request ID. */
  private readonly names = new BoundedMap<string | number, string>(maxCalls);

  /** Returns the change to a tool call, if the line is about one. */
  see(fact: LineFact): ToolFact | undefined {
    if (fact.type !== 'request' && fact.type !== 'response' && fact.type !== 'closed') return undefined;
    const { request } = fact;
    if (request?.method !== 'tools/call' || request.direction !== 'out') return undefined;
    if (fact.event.dir === 'ev') return undefined;
    const about = { type: 'tool', event: fact.event, sessionId: undefined, id: idOf(request.id) } as const;
    if (fact.type === 'request') {
      const name = ownHead(textOf(fact.params['name']) ?? 'a tool', maxName);
      this.names.set(request.id, name);
      return { ...about, change: 'running', title: name, name };
    }
    const name = this.names.get(request.id);
    this.names.delete(request.id);
    if (fact.type === 'closed') return { ...about, change: 'ended', name, outcome: 'cancelled' };
    // A failed request isn't a failed tool.
    if (fact.error) return { ...about, change: 'ended', name, error: fact.error.message };
    const result = objectOf(fact.result);
    // Tools report failure in `isError` (MCP "Tools: Error Handling").
    if (result['isError'] !== true) return { ...about, change: 'ended', name, outcome: 'completed' };
    const said = contentTextOf(result['content']);
    const output = said === undefined ? undefined : oneLine(said, 300);
    return { ...about, change: 'ended', name, outcome: 'failed', output };
  }
}

function idOf(id: string | number): string {
  return String(id).slice(0, maxActivityId);
}
