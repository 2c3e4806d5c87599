import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import { timeOf } from '../../protocols/logFields/timeOf';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { hasFailed, originIn, readHeader, readMessage, readThinkingLevel, readAside } from './messages';

/** pi: `sessions/--CWD--/TIME_UUID.jsonl`, a tree of entries by `parentId`. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '1.6' },
  waits: { records: [], tools: {}, permissions: 'none' },
  deletion: { asOf: '1.6.0', rule: 'deletes none' },
  recognises(line) {
    if (line['type'] === 'session') return isHeader(line);
    // Droid's IDs are longer, and Letta's messages name their conversation.
    const hasPlace = 'parentId' in line && /^.{1,30}$/.test(textOf(line['id']) ?? '');
    const message = line['type'] === 'message' ? objectOf(line['message']) : {};
    return hasPlace && 'role' in message && !('conversation_id' in objectOf(message['metadata']));
  },
  reader: () => new PiReader(),
  roots: [['PI_CODING_AGENT_DIR'], ['~', '.pi', 'agent']],
  programs: ['pi', 'pi-coding-agent'],
  files: [{ below: ['sessions', anyFolder], name: /^[^_]+_(.+)\.jsonl$/ }],
};

function isHeader(line: JsonObject): boolean {
  const id = textOf(line['id']);
  return id !== undefined && textOf(line['cwd']) !== undefined && !/^(?:local-conv-|default)/.test(id);
}

export class PiReader implements SavedReader {
  /** ID of a failed attempt: another one may follow if the next entry drops it from the conversation. */
  private failedId: string | undefined;
  /** When the session was forked, in milliseconds since the epoch, and from which one. */
  private fork: { readonly at: number; readonly from: string } | undefined;

  /** @param agent its name */
  constructor(private readonly agent = 'pi') {}

  /** A fork begins with the entries of its origin. They are older than the file. */
  originOf(line: JsonObject): LineOrigin {
    const at = timeOf(line['timestamp']);
    if (line['type'] === 'session') {
      const from = originIn(line);
      if (from !== undefined && at !== undefined) this.fork = { at, from };
      return { type: 'own' };
    }
    const { fork } = this;
    if (fork && at !== undefined && at < fork.at) return { type: 'copied', from: fork.from };
    const isPrompt = objectOf(line['message'])['role'] === 'user';
    return { type: 'own', id: textOf(line['id']), parentId: textOf(line['parentId']), isPrompt };
  }

  forBranch(): SavedReader {
    return new PiReader();
  }

  read(line: JsonObject, writer: AgentWriter): void {
    const type = textOf(line['type']);
    switch (type) {
      case 'context_edit':
        return this.readEdit(line, writer);
      case 'session':
        return readHeader(line, writer, this.agent);
      case 'message': {
        const message = objectOf(line['message']);
        const id = textOf(line['id']);
        // Without a prompt between, it is another attempt.
        if (message['role'] === 'user') writer.settle();
        if (message['role'] === 'assistant') writer.goesOn();
        if (message['role'] === 'assistant' && hasFailed(message)) this.failedId = id;
        return readMessage(id, message, writer);
      }
      case 'model_change':
        return writer.model(textOf(line['modelId']) ?? 'unknown model', { level: 'info' });
      case 'thinking_level_change':
        return readThinkingLevel(line['thinkingLevel'], writer);
      case 'compaction':
        readAside(line, writer, 'compaction');
        return writer.compacted(undefined, numberOf(line['tokensBefore']));
      case 'branch_summary':
        readAside(line, writer, 'branch summary');
        return writer.note({ level: 'info', logger: 'compaction', message: 'another branch was summarized' });
      case 'session_info':
        return writer.title(textOf(line['name']));
      case 'label':
        return;
      case 'usage':
        readAside(line, writer, (textOf(line['kind']) ?? 'request').replaceAll('_', ' '));
        return writer.other('usage entry');
      case 'custom':
        return writer.other(`${type} entry`);
      case 'custom_message':
        return writer.note({ level: 'info', logger: 'extension', message: outputText(line['content']) });
      default:
        return writer.unknown(type);
    }
  }

  private readEdit(line: JsonObject, writer: AgentWriter): void {
    const isDropped = line['replacement'] === null && textOf(line['targetId']) === this.failedId;
    if (isDropped) return writer.expectsRetry();
    writer.settle();
    writer.other('conversation edited');
  }
}
