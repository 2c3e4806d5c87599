import type { JsonObject } from '../../log/json';
import { isObject, numberOf, objectOf, textOf } from '../../log/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import { numberIn, partsOf, withoutEnd } from '../../protocols/saved/parts';
import { providerError } from '../../protocols/saved/providerError';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { UsageConvention } from '../../work/usage';
import { usageOf } from '../../work/usage';

/** pi: `sessions/--CWD--/TIME_UUID.jsonl`, a tree of entries by `parentId`. */
/** pi subtracts the cache from the input, except for Google's models, where its total tells. The output includes reasoning. */
const convention: UsageConvention = { inputExcludesCache: true };

export const saved: SavedForm = {
  recognises(line) {
    if (line['type'] === 'session') return textOf(line['id']) !== undefined && textOf(line['cwd']) !== undefined;
    const hasPlace = 'parentId' in line && textOf(line['id']) !== undefined;
    return hasPlace && line['type'] === 'message' && isObject(line['message']);
  },
  reader: () => new PiReader(),
  roots: [['PI_CODING_AGENT_DIR'], ['~', '.pi', 'agent']],
  files: [{ below: ['sessions', anyFolder], name: /^[^_]+_(.+)\.jsonl$/ }],
};

class PiReader implements AgentReader {
  /** ID of a failed attempt: a retry if the next entry drops it from the conversation, otherwise the end of the turn. */
  private failedId: string | undefined;

  read(line: JsonObject, writer: AgentWriter): void {
    const type = textOf(line['type']);
    if (type === 'context_edit') return this.readEdit(line, writer);
    writer.settle();
    switch (type) {
      case 'session':
        return readHeader(line, writer);
      case 'message':
        return this.readMessage(textOf(line['id']), objectOf(line['message']), writer);
      case 'model_change':
        return writer.model(textOf(line['modelId']) ?? 'unknown model', { level: 'info' });
      case 'thinking_level_change': {
        const message = `thinking: ${textOf(line['thinkingLevel']) ?? 'changed'}`;
        return writer.note({ level: 'debug', logger: 'model', message });
      }
      case 'compaction':
        return writer.compacted(undefined, numberOf(line['tokensBefore']));
      case 'branch_summary':
        return writer.note({ level: 'info', logger: 'compaction', message: 'another branch was summarized' });
      case 'session_info':
        return writer.title(textOf(line['name']));
      case 'label':
        return;
      case 'usage':
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
    const failure = isDropped ? writer.continueTurn() : undefined;
    if (!failure) {
      writer.settle();
      return writer.other('conversation edited');
    }
    const { error = '' } = failure;
    const [, why = error, status] = /^(.*) \(status (\d{3})\)$/s.exec(error) ?? [];
    writer.retry({ why, ...(status !== undefined && { status: Number(status) }) });
  }

  private readMessage(id: string | undefined, message: JsonObject, writer: AgentWriter): void {
    switch (message['role']) {
      case 'user':
        return writer.prompt(outputText(message['content']));
      case 'assistant':
        return this.readAnswer(id, message, writer);
      case 'toolResult':
        return readResult(message, writer);
      case 'bashExecution':
        return readBash(message, writer);
      case 'system':
        return writer.other('system prompt', 'context');
      default:
        return writer.unknown(`message/${textOf(message['role']) ?? ''}`);
    }
  }

  private readAnswer(id: string | undefined, message: JsonObject, writer: AgentWriter): void {
    const reason = textOf(message['stopReason']);
    const error = providerError(textOf(message['errorMessage']) ?? 'no reason given');
    const isAborted = reason === 'aborted' || (reason === 'error' && /\baborted\b/i.test(error));
    for (const block of partsOf(message['content'])) {
      if (block['type'] === 'toolCall') {
        writer.toolStarted(textOf(block['id']), textOf(block['name']), block['arguments']);
      } else if (block['type'] === 'thinking') writer.thought(textOf(block['thinking']) ?? '');
      else writer.answer(textOf(block['text']) ?? '', { isCut: isAborted });
    }
    const usage = objectOf(message['usage']);
    writer.usage(id, usageOf(usage, 'turn', { convention, cost: objectOf(usage['cost'])['total'] }));
    if (isAborted) return writer.turnEnded({ outcome: 'interrupted' });
    if (reason === 'error') {
      this.failedId = id;
      writer.mayEnd({ outcome: 'failed', error });
    } else if (reason !== undefined && reason !== 'toolUse') {
      writer.turnEnded({ outcome: 'ok', stopReason: reason === 'length' ? 'max_tokens' : 'end_turn' });
    }
  }
}

function readHeader(line: JsonObject, writer: AgentWriter): void {
  writer.in({ id: textOf(line['id']) ?? 'session' });
  const details = [textOf(line['parentSession']) !== undefined && 'forked from another session'];
  writer.started({ agent: 'pi', folder: textOf(line['cwd']), details });
}

function readResult(message: JsonObject, writer: AgentWriter): void {
  const output = outputText(message['content']);
  const isAborted = /\bCommand aborted\s*$/.test(output.slice(-200));
  const isError = message['isError'] === true;
  writer.toolEnded(textOf(message['toolCallId']), {
    outcome: isAborted ? 'cancelled' : isError ? 'failed' : 'ok',
    exitCode: numberIn(output.slice(-200), /\bCommand exited with code (\d{1,10})\s*$/),
    output: withoutEnd(output, /\s*Command exited with code \d+\s*$/),
  });
}

/** Reads a command that the user ran with `!`. */
function readBash(message: JsonObject, writer: AgentWriter): void {
  const command = textOf(message['command']) ?? 'command';
  writer.toolStarted('!', 'bash', { command }, { isShown: false, isUsers: true });
  writer.toolEnded('!', {
    outcome: message['cancelled'] === true ? 'cancelled' : 'ok',
    exitCode: numberOf(message['exitCode']),
    title: `! ${command}`,
    output: textOf(message['output']) ?? '',
  });
}
