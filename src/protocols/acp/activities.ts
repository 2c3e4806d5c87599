import { boundedJson } from '../../log/boundedJson';
import { ownHead } from '../../log/ownText';
import type { WireMessage } from '../../wire/wireEvent';
import type { ActivityDraft, ActivityFact, Asking, PermissionFact } from '../../work/activity';
import { commandEndOf, contentTextOf } from '../../work/toolOutput';
import { BoundedMap } from '../../log/boundedMap';
import type { LineFact, NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../log/json';
import { isEnd } from '../lifecycle';
import { claudeReport } from '../../agents/claude/reports';
import { permissionQuestion } from './exchange';
import { isLogMethod } from './logMessage';
import { sessionKey } from '../sessionIds';
import { modelOf } from './sessionModes';
import { headOf, idOf, outcomes, toolOf } from './toolUpdate';

/** Requests answered by the user, or by the client's model. */
const questions: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['session/request_permission', 'permission'],
  ['elicitation/create', 'answer'],
  ['sampling/createMessage', 'answer'],
]);
/** Requests by which the agent acts through the client. */
const acts = /^(?:fs|terminal|mcp)\//;
const maxTitle = 300;
const maxSessions = 200;
const maxCommand = 1000;
const maxQuestions = 200;

/** Derives the agent's activities from ACP messages, including the extensions of known agents. */
export class AcpActivities {
  /** The latest error per session, as JSON: agents repeat the same `_meta`. */
  private readonly latestErrors = new BoundedMap<string | undefined, string>(maxSessions);

  private readonly oldTools = new BoundedMap<string, true>(maxSessions);
  /** Open questions by request ID, with their session. */
  private readonly asking = new BoundedMap<string, { readonly sessionId: string | undefined; readonly asking: Asking }>(
    maxQuestions,
  );
  /** Cache: the latest update and what it says about a tool call. */
  private latest: { readonly update: JsonObject; readonly fact: ActivityDraft | undefined } | undefined;
  /** Whether each compaction has ended. */
  private readonly compactions = new BoundedMap<string, boolean>(maxSessions);

  /** @param tell receives the derived facts, after the line's own fact */
  constructor(private readonly tell: (fact: ActivityFact) => void) {}

  see(fact: LineFact): void {
    switch (fact.type) {
      case 'request':
        return fact.dir === 'a2c' ? this.asked(fact) : undefined;
      case 'response':
        return fact.dir === 'c2a' ? this.answered(fact) : this.opened(fact);
      case 'notification':
        // Log messages say nothing about activities, and may come in floods.
        return isLogMethod(fact.method) ? undefined : this.notified(fact);
      case 'process':
        return isEnd(fact.event) ? this.asking.clear() : undefined;
      default:
    }
  }

  /** The agent asks the client for something. */
  private asked({ request: { id, method, sessionId }, params, event }: RequestFact): void {
    const asking = questions.get(method);
    if (asking || acts.test(method)) this.add(event, sessionId, { type: 'progress' });
    if (!asking) return;
    const { toolCall } = permissionQuestion(params);
    const title = textOf(params['title']) ?? textOf(toolCall['title']) ?? textOf(params['message']);
    const about = {
      id: String(id),
      asking,
      toolId: idOf(toolCall['toolCallId']),
      title: title && ownHead(title, maxTitle),
    };
    this.asking.set(about.id, { sessionId, asking });
    this.add(event, sessionId, { type: 'permission', change: 'asked', ...about });
  }

  /** Reads a session's model from the answer that opened or configured it. */
  private opened({ result, sessionId, event, error }: ResponseFact): void {
    if (!error) this.using(event, sessionId, modelOf(objectOf(result)));
  }

  private using(event: WireMessage, sessionId: string | undefined, model: unknown): void {
    const to = headOf(model, maxTitle);
    // Claude calls its recommended model "default" until it has used it.
    if (to !== undefined && to !== 'default') this.add(event, sessionId, { type: 'model', to, isFallback: false });
  }

  private answered({ request, result, error, event }: ResponseFact): void {
    if (!request) return;
    const { id, method, sessionId, noted } = request;
    const asking = questions.get(method);
    if (asking || acts.test(method)) this.add(event, sessionId, { type: 'progress' });
    if (method.startsWith('terminal/')) this.ran(event, sessionId, { ...objectOf(noted), ...objectOf(result) });
    if (asking) this.settle(event, String(id), error ? 'cancelled' : outcomeOf(objectOf(result), noted));
  }

  private settle(event: WireMessage, id: string, outcome: PermissionFact['outcome']): void {
    const question = this.asking.get(id);
    if (!question) return;
    this.asking.delete(id);
    const { sessionId, asking } = question;
    this.add(event, sessionId, { type: 'permission', change: 'settled', id, asking, toolId: undefined, outcome });
  }

  /** `terminal/wait_for_exit` returns the exit status itself; `terminal/output` and version 2 nest it in a field. */
  private ran(event: WireMessage, sessionId: string | undefined, terminal: JsonObject): void {
    const id = idOf(terminal['terminalId']);
    const command = headOf(terminal['command'], maxCommand);
    const { exitStatus } = terminal;
    const end = commandEndOf({ exitStatus: isObject(exitStatus) ? exitStatus : terminal });
    if (id === undefined || (command === undefined && end.exitCode === undefined && end.signal === undefined)) return;
    this.add(event, sessionId, { type: 'terminal', id, command, ...end });
  }

  private notified(fact: NotificationFact): void {
    const { method, sessionId, event, params } = fact;
    if (fact.dir !== 'a2c') return;
    // Replayed history isn't activity.
    if (fact.isHistory) return this.replayed(sessionId, objectOf(params['update']));
    if (method === 'session/update') return this.updated(event, sessionId, objectOf(params['update']));
    // The agent withdraws a question, such as when its turn is cancelled.
    if (method === '$/cancel_request') return this.settle(event, String(params['requestId']), 'cancelled');
    // claude-agent-acp forwards Claude Code's messages.
    const message = method === '_claude/sdkMessage' ? objectOf(params['message']) : undefined;
    const report = message && claudeReport(message);
    if (report) this.add(event, sessionId, report);
  }

  /** Remembers a tool call that began in the history, because it may end after the replay. */
  private replayed(sessionId: string | undefined, { toolCallId }: JsonObject): void {
    const id = textOf(toolCallId);
    if (id !== undefined) this.oldTools.set(sessionKey(sessionId, id), true);
  }

  private updated(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const kind = textOf(update['sessionUpdate']);
    this.workedOn(event, sessionId, kind, update);
    if (isObject(update['_meta'])) this.readMeta(event, sessionId, kind, update['_meta']);
  }

  private workedOn(
    event: WireMessage,
    sessionId: string | undefined,
    kind: string | undefined,
    update: JsonObject,
  ): void {
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_message':
        return this.said(event, sessionId, kind, update['content']);
      case 'tool_call':
      case 'tool_call_update':
        return this.tooled(event, sessionId, update);
      case 'compaction_update':
        return this.compacted(event, sessionId, update);
      case 'subagent_update':
        return this.add(event, sessionId, { type: 'progress' });
      case 'usage_update':
        return this.using(event, sessionId, objectOf(update['_meta'])['_claude/model']);
      case 'config_option_update':
        return this.using(event, sessionId, modelOf(update));
      case 'notice': {
        const text = textsOf(update['title'], update['description']).join(': ');
        return this.add(event, sessionId, { type: 'notice', about: 'any', text });
      }
      case 'agent_thought_chunk':
      case 'agent_thought':
      case 'plan':
      case 'plan_update':
        return this.add(event, sessionId, { type: 'progress' });
      case 'terminal_update':
        this.ran(event, sessionId, update);
        return this.add(event, sessionId, { type: 'progress' });
      case 'session_message':
      case 'session_message_chunk':
      case 'compaction_summary_chunk':
      case 'terminal_output_chunk':
      case 'current_mode_update':
        return this.add(event, sessionId, { type: 'progress' });
      default:
    }
  }

  /** What an update says about a tool call, unless the call is part of the history. */
  toolIn(sessionId: string | undefined, update: JsonObject): ActivityDraft | undefined {
    if (this.latest?.update === update) return this.latest.fact;
    const kind = update['sessionUpdate'];
    const isOld = this.oldTools.has(sessionKey(sessionId, textOf(update['toolCallId']) ?? ''));
    const fact = isOld || (kind !== 'tool_call' && kind !== 'tool_call_update') ? undefined : toolOf(update);
    this.latest = { update, fact };
    return fact;
  }

  private tooled(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const fact = this.toolIn(sessionId, update);
    if (fact) this.add(event, sessionId, fact);
  }

  /** Some agents report only the end, and some report it twice. */
  private compacted(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    const { status, error, compactionId } = update;
    const isFailed = status === 'failed' || (error !== undefined && error !== null);
    const hasEnded = outcomes.has(status) || isFailed;
    const key = sessionKey(sessionId, textOf(compactionId) ?? '');
    const before = this.compactions.get(key);
    this.compactions.set(key, hasEnded);
    this.add(event, sessionId, { type: 'progress' });
    if (hasEnded && before === true && compactionId !== undefined) return;
    if (before === undefined || before) {
      this.add(event, sessionId, { type: 'compaction', change: 'started', isFailed: false });
    }
    if (hasEnded) {
      this.add(event, sessionId, {
        type: 'compaction',
        change: 'ended',
        isFailed,
        isCancelled: status === 'cancelled',
      });
    }
  }

  private said(event: WireMessage, sessionId: string | undefined, kind: string, content: unknown): void {
    // Chunks keep the white space at their ends, which separates words and paragraphs.
    const text = textOf(objectOf(content)['text']) ?? contentTextOf(isObject(content) ? [content] : content) ?? '';
    this.add(event, sessionId, { type: 'message', speaker: 'agent', text, isPartial: false });
    // An image or a link counts as output, too.
    if (objectOf(content)['type'] !== 'text' && !Array.isArray(content)) {
      this.add(event, sessionId, { type: 'progress' });
    }
    // Without the capability for notices, agents send warnings as chat messages.
    if (kind === 'agent_message_chunk' && /^\W{0,4}warning\b/i.test(text)) {
      this.add(event, sessionId, { type: 'notice', about: 'any', text: textOf(objectOf(content)['text']) ?? text });
    }
  }

  /**
   * Reads errors that ACP has no field for: codex-acp sends retries as `_meta.codex.error`, and uses `_meta.codex.threadStatus` to
   * report a failed turn that will end with `end_turn` (seen in 2.6.0).
   */
  private readMeta(
    event: WireMessage,
    sessionId: string | undefined,
    kind: string | undefined,
    meta: JsonObject,
  ): void {
    // An error on a tool call belongs to the tool.
    const isTool = kind === 'tool_call' || kind === 'tool_call_update';
    for (const part of isTool ? [] : Object.values(meta).slice(0, 20)) {
      const { error } = objectOf(part);
      if (isObject(error) && !this.isRepeated(error, sessionId)) this.add(event, sessionId, retryOf(error));
    }
    if (objectOf(objectOf(meta['codex'])['threadStatus'])['type'] !== 'systemError') return;
    this.add(event, sessionId, { type: 'retry', change: 'gave-up', message: undefined, isOfTurn: true });
  }

  /** Whether the session has already reported this error. */
  private isRepeated(error: JsonObject, sessionId: string | undefined): boolean {
    if (error['turnId'] === undefined) return false;
    const json = boundedJson(error, 2000);
    if (this.latestErrors.get(sessionId) === json) return true;
    this.latestErrors.set(sessionId, json);
    return false;
  }

  private add(event: WireMessage, sessionId: string | undefined, activity: ActivityDraft): void {
    this.tell({ ...activity, event, sessionId });
  }
}

function outcomeOf({ outcome }: JsonObject, noted: unknown): PermissionFact['outcome'] {
  const { outcome: how, optionId } = objectOf(outcome);
  if (how !== 'selected') return 'cancelled';
  const chosen = arrayOf(objectOf(noted)['options'])
    .map(objectOf)
    .find((option) => option['optionId'] === optionId);
  return textOf(chosen?.['kind'])?.startsWith('reject') === true ? 'refused' : 'allowed';
}

function retryOf(error: JsonObject): ActivityDraft {
  const details = textOf(error['additionalDetails']) ?? textOf(error['details']);
  const message = textOf(error['message']) ?? 'an error without a message';
  return { type: 'retry', change: error['willRetry'] === true ? 'retrying' : 'gave-up', message, details };
}
