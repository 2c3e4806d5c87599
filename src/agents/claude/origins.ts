import { timeOf } from '../../protocols/logFields/timeOf';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import type { UnmarkedForm } from '../savedForm';
import type { LineOrigin } from '../reading/saved/savedReader';

const conversation = new Set(['user', 'assistant', 'attachment', 'system']);

/** How much earlier than its file a line may be written, in milliseconds. */
const slack = 1000;

/**
 * Whose the lines of a file are. A fork begins with the lines of its origin, under its own session ID. `/branch` marks each of them;
 * `--fork-session` marks only the answers, so these decide about what precedes them, until the fork's own first answer.
 */
export class ClaudeOrigins {
  /** When the file was begun, in milliseconds since the epoch, if a line that isn't copied says so. */
  private begunAt: number | undefined;
  private isFirst = true;
  /** The session that answers were copied from. */
  private from: string | undefined;
  /** True once an answer was the session's own: forks copy first. */
  private hasOwn = false;

  of(line: JsonObject): LineOrigin | undefined {
    const type = textOf(line['type']) ?? '';
    const at = timeOf(line['timestamp']);
    if (!conversation.has(type)) {
      if (this.isFirst) this.begunAt ??= at;
      return undefined;
    }
    this.isFirst = false;
    const forkedFrom = objectOf(line['forkedFrom']);
    if (isObject(line['forkedFrom'])) return { type: 'copied', from: textOf(forkedFrom['sessionId']) };
    if (type === 'assistant') return this.ofAnswer(line);
    // A subagent's lines aren't copied.
    if (this.hasOwn || line['isSidechain'] === true) return { type: 'own', ...identityOf(line) };
    // Copied lines are older than their file.
    if (this.begunAt !== undefined && at !== undefined && at < this.begunAt - slack) {
      return { type: 'copied', from: this.from };
    }
    return { type: 'unsure', ...identityOf(line) };
  }

  private ofAnswer(line: JsonObject): LineOrigin {
    const from = textOf(line['requestSessionId']);
    if (from !== undefined && from !== textOf(line['sessionId'])) {
      this.from = from;
      return { type: 'copied', from };
    }
    this.hasOwn = true;
    return { type: 'own', ...identityOf(line) };
  }
}

/** Before 2.1, a session that was resumed went on in a new file, which began with a copy of the old one. */
export const unmarked: UnmarkedForm = {
  isIn: (version = '') => /^(?:0|1|2\.0)\./.test(version),
  idsIn(line) {
    if (!conversation.has(textOf(line['type']) ?? '') || line['isSidechain'] === true) return [];
    return [textOf(line['uuid']), textOf(objectOf(line['message'])['id'])].flatMap((id) => id ?? []);
  },
  marked: (line, sessionId, from) => ({ ...line, sessionId, forkedFrom: { sessionId: from } }),
};

function identityOf(line: JsonObject): {
  readonly id?: string;
  readonly parentId?: string;
  readonly isPrompt: boolean;
} {
  const [id, parentId] = [textOf(line['uuid']), textOf(line['parentUuid'])];
  return {
    ...(id !== undefined && { id }),
    ...(parentId !== undefined && { parentId }),
    isPrompt: isPrompt(line),
  };
}

/** Tool results are saved as messages of the user. */
function isPrompt(line: JsonObject): boolean {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isSidechain'] === true) return false;
  const { content } = objectOf(line['message']);
  return typeof content === 'string' || !Array.isArray(content) || objectOf(content[0])['type'] !== 'tool_result';
}
