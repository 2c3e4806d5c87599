import { oneLine } from '../../log/text';
import { objectOf, textOf } from '../../protocols/json';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';
import { contentTextOf } from '../tools';

const maxCalls = 500;

/** Tools that failed: an answer without an error says so in `isError` (MCP "Tools: Error Handling"). */
export class McpTools implements Rule {
  /** What is called, by the request's id. */
  private readonly names = new BoundedMap<string | number, string>(maxCalls);

  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, _conversation: Conversation, report: Report): void {
    if (seen.type === 'request' && seen.dir === 'c2a' && seen.request.method === 'tools/call') {
      this.names.set(seen.request.id, (textOf(seen.params['name']) ?? 'a tool').slice(0, 200));
    }
    if (seen.type !== 'response' || seen.dir !== 'a2c' || seen.request?.method !== 'tools/call') return;
    const name = this.names.get(seen.request.id) ?? 'a tool';
    this.names.delete(seen.request.id);
    const result = objectOf(seen.result);
    if (seen.error || result['isError'] !== true) return;
    const said = oneLine(contentTextOf(result['content']) ?? 'without a word', 300);
    const what = `\`${name}\` failed: ${said}`;
    report({ code: 'tool-failed', level: 'warning', what, key: name, at: seen.event.t, raw: seen.event.line });
  }
}
