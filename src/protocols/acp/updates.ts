import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import type { ActivityDraft } from '../../work/activity';
import { tellsOfFallback } from '../../work/troubleText';
import { contentText, contentTextOf } from '../../work/tools/contentText';
import { contentOf } from '../textChunks';
import { terminalPrinted, terminalUpdated } from './background';
import { ran } from './questions';
import type { AcpSession } from './session';
import { keyOf } from './session';
import {
  answerModelOf,
  commandsChanged,
  modeChanged,
  optionsChanged,
  prompted,
  titled,
  usesModel,
} from './sessionInfo';
import { messageContinued, messageSent, subagentUpdated } from './subagents';
import { headOf, outcomes, toolCalled, toolOutput } from './toolCalls';
import { stateChanged, used } from './turns';
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
import type { AcpWriter } from './writer';

type Speaker = 'agent' | 'user' | 'thought';
type Handler = (session: AcpSession, update: JsonObject, out: AcpWriter) => void;

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

/** Each kind of `session/update`, of both versions, has one handler, which writes its records and facts. */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['agent_message_chunk', (session, update, out) => messageChunk(session, 'agent', update, out)],
  ['user_message_chunk', (session, update, out) => messageChunk(session, 'user', update, out)],
  ['agent_thought_chunk', (session, update, out) => messageChunk(session, 'thought', update, out)],
  ['agent_message', (session, update, out) => wholeMessage(session, 'agent', update, out)],
  ['user_message', (session, update, out) => wholeMessage(session, 'user', update, out)],
  ['agent_thought', (session, update, out) => wholeMessage(session, 'thought', update, out)],
  ['tool_call', called],
  ['tool_call_update', called],
  ['tool_call_content_chunk', toolOutput],
  ['plan', working(({ id }, { entries }, out) => out.record(id, describePlan(entries)))],
  ['plan_update', working(({ id }, update, out) => out.record(id, describePlanUpdate(update)))],
  ['plan_removed', ({ id }, _, out) => out.record(id, { level: 'info', logger: 'plan', message: 'plan removed' })],
  ['available_commands_update', commands],
  ['current_mode_update', working(mode)],
  ['config_option_update', options],
  ['session_info_update', info],
  ['usage_update', usage],
  ['compaction_update', compaction],
  ['compaction_summary_chunk', working(summary)],
  ['notice', notice],
  ['terminal_update', working(terminal)],
  ['terminal_output_chunk', working(terminalPrinted)],
  ['replay_complete', replayComplete],
  ['state_update', stateChanged],
  ['subagent_update', working(subagent)],
  ['session_message', working(messageSent)],
  ['session_message_chunk', working(messageContinued)],
]);

/** Reads a `session/update`. */
export function readUpdate(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const { id } = session;
  out.isReplay = out.sessions.countReplayed(id);
  const kind = textOf(update['sessionUpdate']) ?? '';
  if (!aside.has(kind)) out.interrupt(id);
  const handler = handlers.get(kind);
  if (handler) handler(session, update, out);
  else out.record(id, describeUnknown(update));
  if (isObject(update['_meta']) && !out.isReplay) readMeta(session, kind, update['_meta'], out);
}

/** A handler of an update that shows that the session works. */
function working(read: Handler): Handler {
  return (session, update, out) => {
    read(session, update, out);
    out.fact(session.id, { type: 'progress' });
  };
}

/** Reads a chunk of a message. */
function messageChunk(session: AcpSession, speaker: Speaker, update: JsonObject, out: AcpWriter): void {
  const { id, lengths } = session;
  const messageId = textOf(update['messageId']);
  const { content } = update;
  const text = contentText(content);
  const isEcho = isPrompt(session, speaker, messageId, out);
  if (messageId !== undefined) {
    const key = keyOf(messageId);
    lengths.set(key, (lengths.get(key) ?? 0) + text.length);
  }
  out.add({ sessionId: id, speaker, messageId, text, isMinor: isEcho });
  // Nothing else may come for a while, and the echo belongs before it.
  if (isEcho) out.interrupt(id);
  const said = says(session, speaker, content, out);
  // Without the capability for notices, agents send warnings as chat messages.
  if (said !== undefined && /^\W{0,4}warning\b/i.test(said)) {
    out.fact(id, { type: 'notice', about: 'any', text: said });
  }
}

/** Reads a whole message, which is shown at debug level if it was already shown, as chunks or as the prompt. */
function wholeMessage(session: AcpSession, speaker: Speaker, update: JsonObject, out: AcpWriter): void {
  const messageId = textOf(update['messageId']);
  const content = arrayOf(update['content']);
  const text = content.map((block) => contentText(block)).join('');
  const isKnown = session.lengths.get(keyOf(messageId ?? '')) === text.length;
  const isEcho = isPrompt(session, speaker, messageId, out);
  const message = text.trim();
  const isMinor = isKnown || isEcho || message === '' || speaker === 'thought';
  const level = isMinor ? 'debug' : 'info';
  out.record(session.id, { level, logger: speaker, content: contentOf(speaker), message: message || '(empty)' });
  says(session, speaker, update['content'], out);
}

/** Whether the message is a prompt that the agent repeats. */
function isPrompt({ prompts }: AcpSession, speaker: Speaker, messageId: string | undefined, out: AcpWriter): boolean {
  return speaker === 'user' && !out.isReplay && prompts.isEcho(messageId);
}

/** Returns the text, if the agent said it. */
function says(session: AcpSession, speaker: Speaker, content: unknown, out: AcpWriter): string | undefined {
  const { id } = session;
  const whole = (): string => contentTextOf(isObject(content) ? [content] : content) ?? '';
  if (speaker === 'thought') out.fact(id, { type: 'progress' });
  // The history of a session begins with its first prompt. That of a subagent is its agent's.
  if (speaker === 'user' && !session.child) prompted(session, whole(), out);
  if (speaker !== 'agent') return undefined;
  session.prompts.begun(false);
  // Chunks keep the white space at their ends, which separates words and paragraphs.
  const text = textOf(objectOf(content)['text']) ?? whole();
  out.fact(id, { type: 'message', speaker, text, isPartial: false });
  // An image or a link counts as output, too.
  if (objectOf(content)['type'] !== 'text' && !Array.isArray(content)) out.fact(id, { type: 'progress' });
  return text;
}

function called(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const compactionId = textOf(update['toolCallId']) ?? '';
  const known = session.compactions.get(keyOf(compactionId));
  if (!known && !isCompaction(update)) return toolCalled(session, update, out);
  compaction(session, { status: known?.status, ...update, compactionId }, out);
}

/** How claude-agent-acp and codex-acp report a compaction to clients that don't declare support for it. */
function isCompaction({ kind, title }: JsonObject): boolean {
  return kind === 'think' && title === 'Compact conversation';
}

/** Some agents report only the end, and some report it twice. */
function compaction({ id, compactions }: AcpSession, update: JsonObject, out: AcpWriter): void {
  const { status, error, compactionId } = update;
  const isFailed = status === 'failed' || (error !== undefined && error !== null);
  const hasEnded = outcomes.has(status) || isFailed;
  const key = keyOf(textOf(compactionId) ?? '');
  const before = compactions.get(key);
  const now = { status: headOf(status, 40), hasEnded: out.isReplay ? before?.hasEnded : hasEnded };
  compactions.set(key, now);
  const text = describeCompaction(update, isFailed);
  out.record(id, before && before.status === now.status ? { ...text, level: 'debug' } : text);
  out.fact(id, { type: 'progress' });
  if (hasEnded && before?.hasEnded === true && compactionId !== undefined) return;
  if (before?.hasEnded !== false) out.fact(id, { type: 'compaction', change: 'started', isFailed: false });
  if (!hasEnded) return;
  out.fact(id, { type: 'compaction', change: 'ended', isFailed, isCancelled: status === 'cancelled' });
}

function summary({ id }: AcpSession, { compactionId, content }: JsonObject, out: AcpWriter): void {
  out.add({ sessionId: id, speaker: 'compaction', messageId: textOf(compactionId), text: contentText(content) });
}

function commands(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  commandsChanged(session, update, out);
  out.record(session.id, describeCommands(update));
}

function mode(session: AcpSession, { currentModeId }: JsonObject, out: AcpWriter): void {
  modeChanged(session, currentModeId, out);
  const message = `mode is now ${textOf(currentModeId) ?? '(none)'}`;
  out.record(session.id, { level: 'info', logger: 'mode', message });
}

function options(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const text = describeOptions(update);
  out.record(session.id, session.child ? { ...text, level: 'debug' } : text);
  optionsChanged(session, update, out);
}

function info(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  if ('title' in update) titled(session, textOf(update['title']), out);
  out.record(session.id, describeInfo(update));
}

function usage(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  out.record(session.id, describeUsage(update));
  const meta = objectOf(update['_meta']);
  const model = out.extensions.first((extension) => extension.modelOf?.(meta));
  usesModel(session, model, out, true);
  used(session, update, out);
}

function notice(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const text = describeNotice(update);
  const isRepeated = !out.isReplay && isRepeatedFallback(session, text.message);
  out.record(session.id, isRepeated ? { ...text, level: 'debug', message: `(again) ${text.message}` } : text);
  const said = textsOf(update['title'], update['description']).join(': ');
  out.fact(session.id, { type: 'notice', about: 'any', text: said });
}

/** Whether the session already reported this change of model: Codex repeats it in each turn. */
function isRepeatedFallback({ lasting }: AcpSession, message: string): boolean {
  if (!tellsOfFallback(message)) return false;
  const isRepeated = lasting.fallback === message;
  lasting.fallback = message;
  return isRepeated;
}

function terminal(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  terminalUpdated(session, update, out);
  ran(session.id, update, out);
}

function replayComplete(session: AcpSession, _: JsonObject, out: AcpWriter): void {
  out.sessions.completeReplay(session);
  out.record(session.id, { level: 'debug', logger: 'session', message: 'replay complete' });
}

function subagent(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  out.interrupt(textOf(update['sessionId']));
  const changed = subagentUpdated(session, update, out);
  if (changed) stateChanged(changed.session, changed.state, out);
}

/**
 * Reads errors that ACP has no field for: codex-acp sends retries as `_meta.codex.error`, and uses `_meta.codex.threadStatus` to
 * report a failed turn that will end with `end_turn` (seen in 2.6.0).
 */
function readMeta(session: AcpSession, kind: string, meta: JsonObject, out: AcpWriter): void {
  const { id } = session;
  if (messages.has(kind)) usesModel(session, answerModelOf(meta), out, true);
  // An error on a tool call belongs to the tool.
  const isTool = kind === 'tool_call' || kind === 'tool_call_update';
  for (const part of isTool ? [] : Object.values(meta).slice(0, 20)) {
    const { error } = objectOf(part);
    if (isObject(error) && !isRepeatedError(session, error)) out.fact(id, retryOf(error));
  }
  if (!out.extensions.some((extension) => extension.saysFailed?.(meta))) return;
  out.fact(id, { type: 'retry', change: 'gave-up', message: undefined, isOfTurn: true });
}

/** Whether the session has already reported this error. */
function isRepeatedError({ lasting }: AcpSession, error: JsonObject): boolean {
  if (error['turnId'] === undefined) return false;
  const json = boundedJson(error, 2000);
  if (lasting.latestError === json) return true;
  lasting.latestError = json;
  return false;
}

function retryOf(error: JsonObject): ActivityDraft {
  const details = textOf(error['additionalDetails']) ?? textOf(error['details']);
  const message = textOf(error['message']) ?? 'an error without a message';
  return { type: 'retry', change: error['willRetry'] === true ? 'retrying' : 'gave-up', message, details };
}
