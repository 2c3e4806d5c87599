import { duration } from '../../log/text';
import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../log/json';
import { withoutEnd } from '../../protocols/saved/parts';
import type { SavedForm } from '../savedForm';
import { beside } from './beside';
import { anyFolder } from '../savedForm';
import { readAbout } from './about';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { usageOf, usageWithWindow } from '../../work/usage';

const known = /^(?:session|user|system|assistant|tool|permission|subagent|model|hook|skill)\.[a-z_]+$/;

/** GitHub Copilot CLI: `session-state/UUID/events.jsonl`. Subagents write into the same file, with an `agentId`. */
export const saved: SavedForm = {
  recognises: (line) =>
    known.test(textOf(line['type']) ?? '') &&
    isObject(line['data']) &&
    'parentId' in line &&
    textOf(line['id']) !== undefined,
  reader: () => new CopilotReader(),
  roots: [['COPILOT_HOME'], ['~', '.copilot']],
  files: [{ below: ['session-state', anyFolder], file: () => 'events.jsonl', about: () => 'workspace.yaml' }],
  about: readAbout,
  beside,
  marks: { type: 'lock', file: /^inuse\.(\d+)\.lock$/ },
  isMarked: true,
};

class CopilotReader implements AgentReader {
  private session: string | undefined;
  /** Agents whose newest answer had no tool call, so that the turn ends with the model call. */
  private readonly answered = new Set<string>();

  read(line: JsonObject, writer: AgentWriter): void {
    const data = objectOf(line['data']);
    const type = textOf(line['type']) ?? '';
    if (type === 'session.start') this.session = textOf(data['sessionId']);
    const agent = textOf(line['agentId']);
    const session = this.session ?? 'session';
    const isOfParent = type.startsWith('subagent.');
    writer.in(agent === undefined || isOfParent ? { id: session } : { id: `${session}/${agent}`, parent: session });
    if (type.startsWith('session.')) return this.readSession(type, data, writer);
    if (type.startsWith('subagent.')) return this.readSubagent(type, data, writer);
    if (type.startsWith('tool.')) return readTool(type, data, writer);
    this.readEvent(type, data, writer);
  }

  private readEvent(type: string, data: JsonObject, writer: AgentWriter): void {
    switch (type) {
      case 'user.message':
        return writer.prompt(textOf(data['content']) ?? '');
      case 'system.message':
        return writer.other('system prompt', 'context');
      case 'assistant.message':
        return this.readAnswer(data, writer);
      case 'assistant.turn_start':
        return;
      case 'assistant.turn_end':
        if (this.answered.delete(writer.place.sessionId ?? '')) writer.turnEnded({ outcome: 'ok' });
        return;
      case 'abort':
        return writer.turnEnded({ outcome: 'interrupted' });
      case 'permission.requested':
        return readRequest(data, writer);
      case 'permission.completed':
        return readDecision(data, writer);
      default:
        if (type.startsWith('model.')) return writer.other(type, 'model');
        writer.unknown(type);
    }
  }

  private readAnswer(data: JsonObject, writer: AgentWriter): void {
    writer.thought(textOf(data['reasoningText']) ?? '');
    writer.answer(textOf(data['content']) ?? '');
    const session = writer.place.sessionId ?? '';
    if (arrayOf(data['toolRequests']).length > 0) this.answered.delete(session);
    else this.answered.add(session);
  }

  private readSession(type: string, data: JsonObject, writer: AgentWriter): void {
    switch (type) {
      case 'session.start':
      case 'session.resume':
        return this.readStart(type, data, writer);
      case 'session.model_change': {
        const model = textOf(data['newModel']);
        if (model === undefined) return writer.other(type, 'model');
        const isNew = data['previousModel'] !== data['newModel'] && data['source'] !== 'agent';
        return writer.model(model, { level: isNew ? 'info' : 'debug' });
      }
      case 'session.error': {
        const status = numberOf(data['statusCode']);
        const words = textOf(data['message']) ?? textOf(data['errorType']) ?? 'no reason given';
        const isNamed = status === undefined || words.includes(String(status));
        return writer.turnEnded({ outcome: 'failed', error: isNamed ? words : `${words} (status ${status})` });
      }
      case 'session.usage_record':
        return readUsage(objectOf(data['usage']), writer);
      case 'session.compaction_start':
        return writer.other('compacting the conversation', 'compaction');
      case 'session.compaction_complete': {
        if (data['success'] === true) {
          const before = numberOf(data['preCompactionTokens']);
          return writer.compacted(textOf(data['trigger']), before, numberOf(data['postCompactionTokens']));
        }
        const message = `failed: ${textOf(data['error']) ?? 'no reason given'}`;
        return writer.note({ level: 'warning', logger: 'compaction', message });
      }
      case 'session.title_changed':
        return writer.title(textOf(data['title']));
      case 'session.shutdown':
        return readShutdown(data, writer);
      default:
        return writer.unknown(type);
    }
  }

  private readStart(type: string, data: JsonObject, writer: AgentWriter): void {
    writer.started({
      agent: 'Copilot CLI',
      version: textOf(data['copilotVersion']),
      model: textOf(data['selectedModel']),
      folder: textOf(objectOf(data['context'])['cwd']),
      isResumed: type === 'session.resume',
    });
  }

  private readSubagent(type: string, data: JsonObject, writer: AgentWriter): void {
    const name = textOf(data['agentDisplayName']) ?? textOf(data['agentName']) ?? 'subagent';
    const took = numberOf(data['durationMs']);
    const after = took === undefined ? '' : ` after ${duration(took)}`;
    switch (type) {
      case 'subagent.started': {
        const task = textOf(data['agentDescription']);
        const message = `${name} started${task === undefined ? '' : `: ${task}`}`;
        return writer.note({ level: 'info', logger: 'subagent', message });
      }
      case 'subagent.completed':
        return writer.note({ level: 'info', logger: 'subagent', message: `${name} completed${after}` });
      case 'subagent.failed': {
        const message = `${name} failed${after}: ${textOf(data['error']) ?? 'no reason given'}`;
        return writer.note({ level: 'warning', logger: 'subagent', message });
      }
      default:
        return writer.other(type, 'subagent');
    }
  }
}

function readUsage(usage: JsonObject, writer: AgentWriter): void {
  writer.usage(textOf(usage['apiCallId']), usageWithWindow(usageOf(usage, 'turn'), usage['maxPromptTokens']));
  const took = numberOf(usage['duration']);
  const model = textOf(usage['model']) ?? 'model';
  const message = `${model} answered${took === undefined ? '' : ` after ${duration(took)}`}`;
  writer.note({ level: 'debug', logger: 'model', message });
}

function readRequest(data: JsonObject, writer: AgentWriter): void {
  const request = objectOf(data['permissionRequest']);
  const what =
    textOf(request['fullCommandText']) ?? textOf(request['intention']) ?? textOf(request['kind']) ?? 'permission';
  writer.asked(textOf(data['requestId']), what);
}

function readDecision(data: JsonObject, writer: AgentWriter): void {
  const kind = textOf(objectOf(data['result'])['kind']) ?? 'answered';
  const outcome = kind.startsWith('denied') ? 'refused' : 'allowed';
  writer.settled(textOf(data['requestId']), outcome, kind.replaceAll('-', ' '));
}

function readShutdown(data: JsonObject, writer: AgentWriter): void {
  const type = textOf(data['shutdownType']) ?? 'routine';
  const { linesAdded, linesRemoved } = objectOf(data['codeChanges']);
  const changes = { linesAdded, linesRemoved, premiumRequests: data['totalPremiumRequests'] };
  const isError = type === 'error';
  const message = isError ? 'session ended by an error' : 'session ended';
  writer.ended({ level: isError ? 'warning' : 'info', message, data: changes });
}

/** `tool.execution_start`, `tool.execution_complete` and `tool.user_requested`. */
function readTool(type: string, data: JsonObject, writer: AgentWriter): void {
  const key = textOf(data['toolCallId']);
  const name = textOf(data['toolName']);
  switch (type) {
    case 'tool.execution_start':
      return writer.toolStarted(key, name, data['arguments']);
    case 'tool.user_requested':
      return writer.toolStarted(key, name, data['arguments'], { isUsers: true });
    case 'tool.execution_complete':
      return writer.toolEnded(key, {
        outcome: outcomeOf(data),
        // `success` is true whatever the exit code.
        exitCode: numberOf(objectOf(data['shellExecution'])['exitCode']),
        output: outputOf(data),
      });
    case 'tool.execution_progress':
    case 'tool.execution_partial_result':
      return writer.other(type, 'tool');
    default:
      return writer.unknown(type);
  }
}

function outcomeOf(data: JsonObject): ToolEnd['outcome'] {
  if (data['success'] !== false) return 'ok';
  const code = textOf(objectOf(data['error'])['code']);
  if (code === 'denied' || code === 'rejected') return 'refused';
  return code === 'cancelled' || code === 'aborted' ? 'cancelled' : 'failed';
}

function outputOf(data: JsonObject): string {
  const text = textOf(objectOf(data['error'])['message']) ?? textOf(objectOf(data['result'])['content']) ?? '';
  return withoutEnd(text, /\n?<shellId: \S+ completed with exit code -?\d+>\s*$/);
}
