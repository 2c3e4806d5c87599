import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf, textsOf } from '../../text/json';
import type { ActivityDraft } from '../../work/activity';
import { contentTextOf } from '../../work/tools/toolOutput';
import { tellsOfFallback } from '../../work/troubleText';
import { contentText } from '../contentText';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { Messages, Speaker } from './messages';
import type { Questions } from './questions';
import type { AcpSessions, Replays } from './session';
import { keyOf } from './session';
import type { SessionChanges } from './sessionChanges';
import { answerModelOf, modelOf } from './sessionModes';
import {
  describeCommands,
  describeCompaction,
  describeInfo,
  describeNotice,
  describeOptions,
  describePlan,
  describePlanUpdate,
  describeUnknown,
  describeUsage,
} from './words';
import type { SubagentUpdates } from './subagentUpdates';
import { terminalOf, terminalOutput, updateTerminal } from './terminals';
import type { ToolCalls } from './toolCalls';
import { headOf, outcomes } from './toolCalls';
import type { Turns } from './turns';
import type { AcpExtensions } from './extension';
import type { AcpWriter } from './writer';

/** What the updates of a session are about. */
interface UpdateContext {
  readonly out: AcpWriter;
  readonly extensions: AcpExtensions;
  readonly sessions: AcpSessions;
  readonly changes: SessionChanges;
  readonly replays: Replays;
  readonly turns: Turns;
  readonly subagents: SubagentUpdates;
  readonly messages: Messages;
  readonly calls: ToolCalls;
  readonly questions: Questions;
}

type Handler = (sessionId: string, update: JsonObject) => void;

const maxModel = 300;
const progress: ActivityDraft = { type: 'progress' };

/** Updates that don't interrupt a message. */
const aside = new Set([
  'agent_message_chunk',
  'user_message_chunk',
  'agent_thought_chunk',
  'terminal_output_chunk',
  'usage_update',
  'available_commands_update',
  'session_info_update',
  'config_option_update',
  'session_message_chunk',
  'compaction_summary_chunk',
]);

/** Updates whose `_meta` may name the model that wrote them. */
const messages = new Set(['agent_message_chunk', 'agent_message', 'agent_thought_chunk', 'agent_thought']);

/** Reads `session/update`, in both versions: each kind has one handler, which writes its records and facts. */
export class Updates {
  private readonly handlers: ReadonlyMap<string, Handler>;

  constructor(private readonly context: UpdateContext) {
    const { turns, subagents } = context;
    this.handlers = new Map<string, Handler>([
      ['agent_message_chunk', this.chunkOf('agent')],
      ['user_message_chunk', this.chunkOf('user')],
      ['agent_thought_chunk', this.chunkOf('thought')],
      ['agent_message', this.messageOf('agent')],
      ['user_message', this.messageOf('user')],
      ['agent_thought', this.messageOf('thought')],
      ['tool_call', (id, update) => this.toolCall(id, update)],
      ['tool_call_update', (id, update) => this.toolCall(id, update)],
      ['tool_call_content_chunk', (id, update) => this.show(id, context.calls.content(id, update))],
      ['plan', (id, update) => this.show(id, describePlan(update['entries']), progress)],
      ['plan_update', (id, update) => this.show(id, describePlanUpdate(update), progress)],
      ['plan_removed', (id) => this.show(id, { level: 'info', logger: 'plan', message: 'plan removed' })],
      ['available_commands_update', (id, update) => this.commands(id, update)],
      ['current_mode_update', (id, update) => this.mode(id, update)],
      ['config_option_update', (id, update) => this.options(id, update)],
      ['session_info_update', (id, update) => this.info(id, update)],
      ['usage_update', (id, update) => this.usage(id, update)],
      ['compaction_update', (id, update) => this.compaction(id, update)],
      ['compaction_summary_chunk', (id, update) => this.summary(id, update)],
      ['notice', (id, update) => this.notice(id, update)],
      ['terminal_update', (id, update) => this.terminal(id, update)],
      ['terminal_output_chunk', (id, update) => this.terminalOutput(id, update)],
      ['replay_complete', (id) => this.replayComplete(id)],
      ['state_update', (id, update) => turns.stateChanged(id, update)],
      ['subagent_update', (id, update) => this.subagent(id, update)],
      ['session_message', (id, update) => this.show(id, subagents.message(id, update), progress)],
      ['session_message_chunk', (id, update) => this.sessionMessage(id, update)],
    ]);
  }

  /** @param sessionId absent if the update names no session: then it is only shown */
  accept(sessionId: string | undefined, update: JsonObject): void {
    const { out, replays, messages } = this.context;
    if (sessionId === undefined) return out.record(undefined, describeUnknown(update));
    if (replays.count(sessionId)) out.begin(out.event, true);
    const kind = textOf(update['sessionUpdate']) ?? '';
    if (!aside.has(kind)) messages.interrupt(sessionId);
    const handler = this.handlers.get(kind);
    if (handler) handler(sessionId, update);
    else out.record(sessionId, describeUnknown(update));
    if (isObject(update['_meta']) && !out.isReplay) this.readMeta(sessionId, kind, update['_meta']);
  }

  /** The name of background work in the agent's list. */
  nameOfWork(sessionId: string, item: JsonObject): string {
    const terminalId = textOf(item['terminalId']);
    const { terminals } = this.context.sessions.thingsOf(sessionId);
    if (terminalId !== undefined) return terminals.get(keyOf(terminalId))?.command ?? 'a terminal';
    const title = this.context.calls.titleOf(sessionId, textOf(item['toolCallId']));
    return (
      title ?? textOf(item['title']) ?? textOf(item['description']) ?? textOf(item['type']) ?? boundedJson(item, 100)
    );
  }

  /** The session works with this model from here on. @param isAnswer whether an answer names it */
  using(sessionId: string | undefined, model: unknown, isAnswer = false): void {
    const name = headOf(model, maxModel);
    // Claude calls its recommended model "default" until it has used it.
    const to = name === 'default' ? undefined : name;
    if (name !== undefined) this.context.out.fact(sessionId, { type: 'model', to, isAnswer, isFallback: false });
  }

  private show(sessionId: string, text: ExchangeText, fact?: ActivityDraft): void {
    this.context.out.record(sessionId, text);
    if (fact) this.context.out.fact(sessionId, fact);
  }

  private chunkOf(speaker: Speaker): Handler {
    return (sessionId, update) => {
      this.context.messages.chunk(sessionId, speaker, update);
      this.says(sessionId, speaker, update);
    };
  }

  private messageOf(speaker: Speaker): Handler {
    return (sessionId, update) => {
      this.context.messages.whole(sessionId, speaker, update);
      this.says(sessionId, speaker, update);
    };
  }

  /** The history of a session begins with its first prompt. That of a subagent is its agent's. */
  private says(sessionId: string, speaker: Speaker, { content }: JsonObject): void {
    if (speaker !== 'user' || this.context.subagents.isChild(sessionId)) return;
    this.context.changes.prompted(sessionId, contentTextOf(isObject(content) ? [content] : content) ?? '');
  }

  private toolCall(sessionId: string, update: JsonObject): void {
    const { calls, sessions, subagents, turns } = this.context;
    const compactionId = textOf(update['toolCallId']) ?? '';
    const known = sessions.thingsOf(sessionId).compactions.get(keyOf(compactionId));
    if (known || isCompaction(update)) {
      return this.compaction(sessionId, { status: known?.status, ...update, compactionId });
    }
    const { data, ...text } = calls.update(sessionId, update, turns.isVersion2);
    this.show(sessionId, isObject(data) ? { ...text, data: subagents.withShortIds(data) } : text);
  }

  private commands(sessionId: string, update: JsonObject): void {
    this.context.changes.commands(sessionId, update);
    this.show(sessionId, describeCommands(update));
  }

  private mode(sessionId: string, update: JsonObject): void {
    const mode = update['currentModeId'];
    this.context.changes.mode(sessionId, mode);
    this.show(
      sessionId,
      { level: 'info', logger: 'mode', message: `mode is now ${textOf(mode) ?? '(none)'}` },
      progress,
    );
  }

  private options(sessionId: string, update: JsonObject): void {
    const { changes, subagents } = this.context;
    changes.options(sessionId, update);
    const text = describeOptions(update);
    this.show(sessionId, subagents.isChild(sessionId) ? { ...text, level: 'debug' } : text);
    this.using(sessionId, modelOf(update));
  }

  private info(sessionId: string, update: JsonObject): void {
    if ('title' in update) this.context.changes.titled(sessionId, textOf(update['title']));
    this.show(sessionId, describeInfo(update));
  }

  private usage(sessionId: string, update: JsonObject): void {
    this.show(sessionId, describeUsage(update));
    const meta = objectOf(update['_meta']);
    this.using(
      sessionId,
      this.context.extensions.first((extension) => extension.modelOf?.(meta)),
      true,
    );
    this.context.turns.used(sessionId, update);
  }

  /** Some agents report only the end, and some report it twice. */
  private compaction(sessionId: string, update: JsonObject): void {
    const { out, sessions } = this.context;
    const { compactions } = sessions.thingsOf(sessionId);
    const { status, error, compactionId } = update;
    const isFailed = status === 'failed' || (error !== undefined && error !== null);
    const hasEnded = outcomes.has(status) || isFailed;
    const key = keyOf(textOf(compactionId) ?? '');
    const before = compactions.get(key);
    const now = { status: headOf(status, 40), hasEnded: out.isReplay ? before?.hasEnded : hasEnded };
    compactions.set(key, now);
    const text = describeCompaction(update, isFailed);
    this.show(sessionId, before && before.status === now.status ? { ...text, level: 'debug' } : text, progress);
    if (hasEnded && before?.hasEnded === true && compactionId !== undefined) return;
    if (before?.hasEnded !== false) {
      out.fact(sessionId, { type: 'compaction', change: 'started', isFailed: false });
    }
    if (!hasEnded) return;
    out.fact(sessionId, { type: 'compaction', change: 'ended', isFailed, isCancelled: status === 'cancelled' });
  }

  private summary(sessionId: string, { compactionId, content }: JsonObject): void {
    const { messages, out } = this.context;
    const chunk = { sessionId, speaker: 'compaction', messageId: textOf(compactionId) };
    messages.add({ ...chunk, text: contentText(content) });
    out.fact(sessionId, progress);
  }

  private notice(sessionId: string, update: JsonObject): void {
    const text = describeNotice(update);
    const isRepeated = !this.context.out.isReplay && this.isRepeatedFallback(sessionId, text.message);
    const shown = isRepeated ? { ...text, level: 'debug' as const, message: `(again) ${text.message}` } : text;
    const said = textsOf(update['title'], update['description']).join(': ');
    this.show(sessionId, shown, { type: 'notice', about: 'any', text: said });
  }

  /** Whether the session already reported this change of model: Codex repeats it in each turn. */
  private isRepeatedFallback(sessionId: string, message: string): boolean {
    if (!tellsOfFallback(message)) return false;
    const { lasting } = this.context.sessions.of(sessionId);
    const isRepeated = lasting.fallback === message;
    lasting.fallback = message;
    return isRepeated;
  }

  private terminal(sessionId: string, update: JsonObject): void {
    const { questions, out, sessions } = this.context;
    this.show(sessionId, updateTerminal(terminalOf(sessions.thingsOf(sessionId), update['terminalId']), update));
    questions.ran(sessionId, update);
    out.fact(sessionId, progress);
  }

  private terminalOutput(sessionId: string, update: JsonObject): void {
    const { messages, out, sessions } = this.context;
    const text = terminalOutput(terminalOf(sessions.thingsOf(sessionId), update['terminalId']), update);
    messages.add({ sessionId, speaker: 'terminal', messageId: textOf(update['terminalId']), text });
    out.fact(sessionId, progress);
  }

  private replayComplete(sessionId: string): void {
    this.context.replays.completed(sessionId);
    this.show(sessionId, { level: 'debug', logger: 'session', message: 'replay complete' });
  }

  private subagent(sessionId: string, update: JsonObject): void {
    const { messages, subagents, out } = this.context;
    messages.interrupt(textOf(update['sessionId']));
    subagents.update(sessionId, update);
    out.fact(sessionId, progress);
  }

  private sessionMessage(sessionId: string, update: JsonObject): void {
    const { messages, subagents, out } = this.context;
    const lead = subagents.leadOf(sessionId, update);
    const text = contentText(update['content']);
    const chunk = { sessionId, speaker: 'message', messageId: textOf(update['messageId']), lead, text };
    messages.add({ ...chunk, isMinor: lead.startsWith('to ') });
    out.fact(sessionId, progress);
  }

  /**
   * Reads errors that ACP has no field for: codex-acp sends retries as `_meta.codex.error`, and uses `_meta.codex.threadStatus` to
   * report a failed turn that will end with `end_turn` (seen in 2.6.0).
   */
  private readMeta(sessionId: string, kind: string, meta: JsonObject): void {
    const { out } = this.context;
    if (messages.has(kind)) this.using(sessionId, answerModelOf(meta), true);
    // An error on a tool call belongs to the tool.
    const isTool = kind === 'tool_call' || kind === 'tool_call_update';
    for (const part of isTool ? [] : Object.values(meta).slice(0, 20)) {
      const { error } = objectOf(part);
      if (isObject(error) && !this.isRepeatedError(error, sessionId)) out.fact(sessionId, retryOf(error));
    }
    if (!this.context.extensions.some((extension) => extension.saysFailed?.(meta))) return;
    out.fact(sessionId, { type: 'retry', change: 'gave-up', message: undefined, isOfTurn: true });
  }

  /** Whether the session has already reported this error. */
  private isRepeatedError(error: JsonObject, sessionId: string): boolean {
    if (error['turnId'] === undefined) return false;
    const json = boundedJson(error, 2000);
    const { lasting } = this.context.sessions.of(sessionId);
    if (lasting.latestError === json) return true;
    lasting.latestError = json;
    return false;
  }
}

function retryOf(error: JsonObject): ActivityDraft {
  const details = textOf(error['additionalDetails']) ?? textOf(error['details']);
  const message = textOf(error['message']) ?? 'an error without a message';
  return { type: 'retry', change: error['willRetry'] === true ? 'retrying' : 'gave-up', message, details };
}

/** How claude-agent-acp and codex-acp report a compaction to clients that don't declare support for it. */
function isCompaction({ kind, title }: JsonObject): boolean {
  return kind === 'think' && title === 'Compact conversation';
}
