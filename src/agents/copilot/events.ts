import { withShortSession } from '../../text/sessionLabel';
import { duration, oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import { usageOf } from '../../work/usage/usage';
import { asideUsage } from '../reading/saved/asideUsage';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { McpServerState } from '../../work/activity';
import { ModelCalls, readUsage } from './modelCalls';
import { readHook } from './hooks';
import { readTool } from './tools';

/** True for an event of a session (`SessionEvent` of @github/copilot-sdk), in its file and in the stream. */
export function isEvent(line: JsonObject): boolean {
  const { type, id, data } = line;
  const isTyped = typeof type === 'string' && /^(?:[a-z][a-z_]*\.[a-z_.]+|abort)$/.test(type.slice(0, 100));
  return isTyped && isObject(data) && 'parentId' in line && textOf(id) !== undefined;
}

/** Maximum numbers of MCP servers, and of characters of a server's name. */
const [maxServers, maxName] = [100, 200];
const serverStates = new Map<unknown, McpServerState['state']>([
  ['connected', 'connected'],
  ['pending', 'starting'],
  ['failed', 'failed'],
  ['needs-auth', 'needs-login'],
]);

/** Reads the events of a session. */
export class CopilotReader implements SavedReader {
  private readonly modelCalls = new ModelCalls();
  /** When the file was begun, in milliseconds since the epoch. */
  private begunAt = -Infinity;
  /** The session that the file was forked from. */
  private source: string | undefined;
  /** Agents whose newest answer had no tool call, so that the turn ends with the model call. */
  private readonly answered = new Set<string>();

  /** @param session a name for it, until an event has its ID */
  constructor(private session = 'session') {}

  read(line: JsonObject, writer: AgentWriter): void {
    const data = objectOf(line['data']);
    const type = textOf(line['type']) ?? '';
    if (type === 'session.start') this.session = textOf(data['sessionId']) ?? 'session';
    const agent = textOf(line['agentId']);
    const { session } = this;
    const isOfParent = type.startsWith('subagent.');
    writer.in(agent === undefined || isOfParent ? { id: session } : { id: `${session}/${agent}`, parent: session });
    if (type.startsWith('session.')) return this.readSession(type, data, writer);
    if (type.startsWith('subagent.')) return this.readSubagent(type, data, writer);
    if (type.startsWith('tool.')) return readTool(type, data, writer);
    if (this.modelCalls.read(type, data, writer)) return;
    this.readEvent(type, data, writer);
  }

  /** A fork begins with the events of its origin, with their IDs and times, behind a start of its own. */
  originOf(line: JsonObject): LineOrigin {
    const at = timeOf(line['timestamp']) ?? Infinity;
    if (line['type'] === 'session.start') this.begunAt = at;
    if (at < this.begunAt) {
      const { accounting } = objectOf(objectOf(line['data'])['usage']);
      this.source = textOf(objectOf(accounting)['sourceSessionId']) ?? this.source;
      return { type: 'copied', from: this.source };
    }
    const isPrompt = line['type'] === 'user.message' && line['agentId'] === undefined;
    return { type: 'own', id: textOf(line['id']), parentId: textOf(line['parentId']), isPrompt };
  }

  /** What follows is about the session itself, not a subagent. */
  toMain(writer: AgentWriter): void {
    writer.in({ id: this.session });
  }

  private readEvent(type: string, data: JsonObject, writer: AgentWriter): void {
    switch (type) {
      case 'user.message':
        return writer.prompt(textOf(data['content']) ?? '', { startsTurn: !isSteering(data, writer) });
      case 'system.message':
        return writer.other('system prompt', 'context');
      case 'assistant.message':
        return this.readAnswer(data, writer);
      case 'assistant.turn_start':
        return;
      case 'assistant.message_start':
      case 'assistant.reasoning':
      case 'assistant.streaming_delta':
        return writer.other(type, 'model');
      case 'assistant.intent':
        return writer.note({ level: 'debug', logger: 'intent', message: textOf(data['intent']) ?? '' });
      case 'assistant.idle':
        if (data['aborted'] === true && writer.isInTurn) return writer.turnEnded({ outcome: 'cancelled' });
        return writer.other(type);
      case 'agent.interrupted':
        return writer.other(type);
      case 'assistant.turn_end':
        if (this.answered.delete(writer.place.sessionId ?? '')) writer.turnEnded({ outcome: 'ok' });
        return;
      case 'abort':
        return writer.turnEnded({ outcome: 'cancelled' });
      case 'hook.start':
      case 'hook.end':
        return readHook(type, data, writer);
      case 'permission.requested':
        return readRequest(data, writer);
      case 'permission.completed':
        return readDecision(data, writer);
      default:
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
        return writer.turnEnded({ outcome: 'error', error: isNamed ? words : `${words} (status ${status})` });
      }
      case 'session.usage_record': {
        const usage = objectOf(data['usage']);
        // The change of the model may be far away, in the part of a long file that isn't read for lists.
        writer.about({ model: textOf(usage['model']) });
        return readUsage(usage, writer);
      }
      case 'session.compaction_start':
        return writer.other('compacting the conversation', 'compaction');
      case 'session.compaction_complete': {
        if (data['success'] === true) return readCompaction(data, writer);
        const message = `failed: ${textOf(data['error']) ?? 'no reason given'}`;
        return writer.note({ level: 'warning', logger: 'compaction', message });
      }
      case 'session.info':
        // Retries have a record of their own.
        if (data['infoType'] === 'model_retry') return writer.other(type);
        return readInfo(data, writer);
      case 'session.warning':
        return writer.note({ level: 'warning', logger: 'session', message: wordsOf(data) });
      case 'session.mcp_servers_loaded':
        return readServers(arrayOf(data['servers']).slice(0, maxServers).map(objectOf), writer);
      case 'session.mcp_server_status_changed':
        return readServers([{ ...data, name: data['serverName'] }], writer);
      case 'session.background_tasks_changed':
      case 'session.skills_loaded':
      case 'session.tools_updated':
      case 'session.idle':
      case 'session.usage_checkpoint':
        return writer.other(type);
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
      branch: textOf(objectOf(data['context'])['branch']),
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

/** The model call of a compaction has no record besides. */
function readCompaction(data: JsonObject, writer: AgentWriter): void {
  const used = usageOf(objectOf(data['compactionTokensUsed']), 'turn');
  asideUsage(writer, textOf(data['compactionAttemptId']) ?? textOf(data['requestId']), used, '/compact');
  const before = numberOf(data['preCompactionTokens']);
  writer.compacted(textOf(data['trigger']), before, numberOf(data['postCompactionTokens']));
}

/** A prompt during a turn is part of it. */
function isSteering(data: JsonObject, writer: AgentWriter): boolean {
  return data['delivery'] === 'steering' && writer.isInTurn;
}

function wordsOf(data: JsonObject): string {
  return textOf(data['message']) ?? 'no message';
}

function readInfo(data: JsonObject, writer: AgentWriter): void {
  const words = wordsOf(data);
  const isFork = data['infoType'] === 'fork';
  const origin = isFork ? /\(([0-9a-f-]{36})\) as /.exec(words)?.[1] : undefined;
  if (isFork) writer.forked(origin);
  writer.note({ level: 'info', kind: 'notice', logger: 'session', message: withShortSession(words, origin) });
}

function readServers(servers: readonly JsonObject[], writer: AgentWriter): void {
  const known = servers.flatMap(({ name, status }) => {
    const state = serverStates.get(status);
    return typeof name === 'string' && state ? [{ name: name.slice(0, maxName), state }] : [];
  });
  writer.fact({ type: 'equipment', tools: [], servers: known });
  const words = servers.map(({ name, status, error }) =>
    oneLine(
      `${textOf(name) ?? 'a server'} ${textOf(status) ?? ''}${error === undefined ? '' : `: ${textOf(error) ?? ''}`}`,
      300,
    ),
  );
  const hasFailed = known.some(({ state }) => state === 'failed');
  const message = words.length === 0 ? 'no servers' : words.join(', ');
  writer.note({ level: hasFailed ? 'warning' : 'debug', logger: 'mcp', message });
}

function readRequest(data: JsonObject, writer: AgentWriter): void {
  const request = objectOf(data['permissionRequest']);
  const what =
    textOf(request['fullCommandText']) ?? textOf(request['intention']) ?? textOf(request['kind']) ?? 'permission';
  writer.asked(textOf(data['requestId']), what);
}

function readDecision(data: JsonObject, writer: AgentWriter): void {
  const kind = textOf(objectOf(data['result'])['kind']) ?? 'answered';
  const outcome = kind.startsWith('denied') ? 'refused' : kind.startsWith('approved') ? 'ok' : undefined;
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
