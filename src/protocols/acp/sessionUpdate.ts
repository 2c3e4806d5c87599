import type { Level } from '../../log/level';
import { commandEndOf } from '../activity/toolOutput';
import { boundedJson } from '../../log/boundedJson';
import { withShortNamedIds } from '../../log/sessionLabel';
import { oneLine } from '../../log/text';
import { contentText } from '../contentText';
import type { JsonObject } from '../json';
import { arrayOf, isObject, objectOf, textOf } from '../json';

/** A `session/update` on one line. */
export interface UpdateText {
  readonly level: Level;
  readonly logger: string;
  readonly message: string;
  readonly data?: unknown;
}

/** Updates that don't interrupt a message. */
const aside = new Set([
  'usage_update',
  'available_commands_update',
  'session_info_update',
  'config_option_update',
  'session_message_chunk',
  'compaction_summary_chunk',
]);

export function interruptsMessage(sessionUpdate: string | undefined): boolean {
  return sessionUpdate === undefined || !aside.has(sessionUpdate);
}

/** The speaker of a message chunk, or `undefined` for any other update. */
export function speakerOf(sessionUpdate: unknown): string | undefined {
  switch (sessionUpdate) {
    case 'agent_message_chunk':
      return 'agent';
    case 'user_message_chunk':
      return 'user';
    case 'agent_thought_chunk':
      return 'thought';
    default:
      return undefined;
  }
}

/** Describes any update except message chunks and notices. Unknown ones are shown in full. */
export function describeUpdate(update: JsonObject): UpdateText {
  const kind = textOf(update['sessionUpdate']);
  switch (kind) {
    case 'tool_call':
    case 'tool_call_update':
      return describeToolCall(update, kind === 'tool_call');
    case 'plan':
      return { level: 'info', logger: 'plan', message: describePlan(update) };
    case 'available_commands_update':
      return { level: 'debug', logger: 'commands', message: names(update['availableCommands'], 'name') };
    case 'current_mode_update':
      return { level: 'info', logger: 'mode', message: `mode is now ${textOf(update['currentModeId']) ?? '(none)'}` };
    case 'config_option_update':
      return { level: 'info', logger: 'config', message: describeOptions(update) };
    case 'usage_update':
      return { level: 'debug', logger: 'usage', message: describeUsage(update) };
    case 'session_info_update':
      return describeInfo(update);
    case 'compaction_update':
      return describeCompaction(update);
    case 'plan_update':
      return { level: 'info', logger: 'plan', message: describeOtherPlan(update) };
    case 'plan_removed':
      return { level: 'info', logger: 'plan', message: 'plan removed' };
    case 'replay_complete':
      return { level: 'debug', logger: 'session', message: 'replay complete' };
    default:
      return { level: 'info', logger: kind ?? 'session/update', message: rest(update, ['sessionUpdate']) };
  }
}

function describeToolCall(update: JsonObject, isNew: boolean): UpdateText {
  const status = textOf(update['status']);
  const { exitCode: exit } = commandEndOf(update);
  const title = textOf(update['title']) ?? textOf(update['toolCallId']) ?? '';
  const state = [...(status === undefined ? [] : [status]), ...(exit === undefined ? [] : [`exit ${exit}`])].join(', ');
  const output = outputOf(update);
  const failed = status === 'failed' || (exit !== undefined && exit !== 0);
  return {
    level: failed ? 'warning' : isNew || status === 'completed' || status === 'cancelled' ? 'info' : 'debug',
    logger: 'tool',
    message:
      `${oneLine(title, 200)} ${state === '' ? '' : `(${state})`}${output === '' ? '' : `: ${oneLine(output, 300)}`}`.trim(),
    ...(isNew && isObject(update['rawInput']) && { data: update['rawInput'] }),
  };
}

function outputOf(update: JsonObject): string {
  const { content } = update;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content ?? ''];
  const text = blocks
    .filter((block) => objectOf(block)['type'] !== 'terminal')
    .map((block) => contentText(block))
    .join(' ')
    .trim();
  return text === '' ? (textOf(objectOf(objectOf(update['_meta'])['terminal_output_delta'])['data']) ?? '') : text;
}

const planMarks: ReadonlyMap<unknown, string> = new Map([
  ['completed', 'x'],
  ['in_progress', '>'],
  ['cancelled', '-'],
]);

/** A plan that is text, or of an unknown type. */
function describeOtherPlan(update: JsonObject): string {
  const plan = objectOf(update['plan']);
  const text = textOf(plan['content']) ?? textOf(plan['uri']);
  return text === undefined ? rest(update, ['sessionUpdate']) : oneLine(text, 2000);
}

function describePlan(update: JsonObject): string {
  const entries = arrayOf(update['entries']).map((entry) => {
    const { status, content } = objectOf(entry);
    const mark = planMarks.get(status) ?? ' ';
    return `[${mark}] ${oneLine(textOf(content) ?? '', 120)}`;
  });
  return entries.length === 0 ? 'plan is empty' : entries.join(' · ');
}

function names(list: unknown, field: string): string {
  const all = arrayOf(list).map((item) => textOf(objectOf(item)[field]) ?? '?');
  return oneLine(`${all.length} available: ${all.join(', ')}`, 500);
}

function describeOptions(update: JsonObject): string {
  const options = arrayOf(update['configOptions']).map((option) => {
    const { id, configId, currentValue } = objectOf(option);
    return `${textOf(id) ?? textOf(configId) ?? '?'}=${boundedJson(currentValue ?? null, 60)}`;
  });
  return oneLine(options.join(' '), 500);
}

function describeUsage(update: JsonObject): string {
  const cost = isObject(update['cost']) ? `, cost ${boundedJson(update['cost'], 100)}` : '';
  return `${boundedJson(update['used'] ?? null, 20)} of ${boundedJson(update['size'] ?? null, 20)} tokens used${cost}`;
}

function describeInfo(update: JsonObject): UpdateText {
  const title = textOf(update['title']);
  if (title !== undefined) {
    return { level: 'debug', logger: 'session', message: `title is now "${oneLine(title, 200)}"` };
  }
  return { level: 'debug', logger: 'session', message: rest(update, ['sessionUpdate']) };
}

function describeCompaction(update: JsonObject): UpdateText {
  const { error } = update;
  const failed = update['status'] === 'failed' || (error !== undefined && error !== null);
  const status = textOf(update['status']) ?? 'changed';
  const why = error === undefined || error === null ? '' : (textOf(error) ?? boundedJson(error, 500));
  const detail = textOf(update['summary']) ?? why;
  return {
    level: failed ? 'warning' : 'info',
    logger: 'compaction',
    message: `${status} ${oneLine(detail, 300)}`.trim(),
  };
}

/** The remaining fields as compact JSON. */
function rest(update: JsonObject, without: readonly string[]): string {
  const fields = Object.fromEntries(Object.entries(update).filter(([name]) => !without.includes(name)));
  // May name a subagent's session that isn't known yet.
  return withShortNamedIds(boundedJson(fields, 1000));
}
