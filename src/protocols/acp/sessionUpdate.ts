import { parseLevel } from '../../log/level';
import type { Ended } from '../../work/step';
import { commandEndOf } from '../../work/toolOutput';
import { outcomeWord } from '../../work/toolWords';
import { boundedJson } from '../../log/boundedJson';
import { withShortNamedIds } from '../../log/sessionLabel';
import { oneLine } from '../../log/text';
import { contentText } from '../contentText';
import type { JsonObject } from '../../log/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../log/json';

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

/** The speakers of whole messages, by update. */
const speakers: ReadonlyMap<unknown, string> = new Map([
  ['agent_message', 'agent'],
  ['user_message', 'user'],
  ['agent_thought', 'thought'],
]);

/** The speaker of a whole message, or `undefined` for any other update. */
export function speakerOf(sessionUpdate: string | undefined): string | undefined {
  return speakers.get(sessionUpdate);
}

/** The speaker of a message chunk, or `undefined` for any other update. */
export function chunkSpeakerOf(sessionUpdate: string | undefined): string | undefined {
  return sessionUpdate?.endsWith('_chunk') === true ? speakers.get(sessionUpdate.slice(0, -6)) : undefined;
}

/**
 * Describes any update except messages. Unknown ones are shown in full.
 * @param end how its tool call ended, if this update says that it has
 */
export function describeUpdate(update: JsonObject, end?: Ended): ExchangeText {
  const kind = textOf(update['sessionUpdate']);
  switch (kind) {
    case 'tool_call':
    case 'tool_call_update':
      return describeToolCall(update, kind === 'tool_call', end);
    case 'plan':
      return { level: 'info', logger: 'plan', message: describePlan(update) };
    case 'available_commands_update':
      return { level: 'debug', logger: 'commands', message: describeCommands(update) };
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
    case 'notice':
      return describeNotice(update);
    case 'plan_update':
      return { level: 'info', logger: 'plan', message: describeOtherPlan(update) };
    case 'plan_removed':
      return { level: 'info', logger: 'plan', message: 'plan removed' };
    case 'replay_complete':
      return { level: 'debug', logger: 'session', message: 'replay complete' };
    default:
      return { level: 'info', logger: kind ?? 'session/update', message: rest(update) };
  }
}

function describeToolCall(update: JsonObject, isNew: boolean, end: Ended | undefined): ExchangeText {
  const status = end ? outcomeWord(end) : textOf(update['status']);
  // An earlier update, or its terminal, may have said how a command failed.
  const exit = commandEndOf(update).exitCode ?? (end?.exitCode === 0 ? undefined : end?.exitCode);
  const failed = end ? end.outcome === 'error' : status === 'failed';
  const title = textOf(update['title']) ?? textOf(update['toolCallId']) ?? '';
  const state = [...(status === undefined ? [] : [status]), ...(exit === undefined ? [] : [`exit ${exit}`])].join(', ');
  const output = outputOf(update);
  return {
    level: failed ? 'warning' : isNew || end || status === 'completed' || status === 'cancelled' ? 'info' : 'debug',
    logger: 'tool',
    message:
      `${oneLine(title, 200)} ${state === '' ? '' : `(${state})`}${output === '' ? '' : `: ${oneLine(output, 300)}`}`.trim(),
    ...(isNew && isObject(update['rawInput']) && { data: update['rawInput'] }),
  };
}

/** A session notice (ACP RFD "Session Notices"). `severity` is an open enumeration; one that isn't a level is kept as data. */
function describeNotice({ severity, title, description }: JsonObject): ExchangeText {
  const level = parseLevel(severity);
  return {
    level: level ?? 'notice',
    kind: 'notice',
    message: textsOf(textOf(title) ?? '(no title)', description).join(': '),
    ...(level === undefined && severity !== undefined && { data: { severity } }),
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
  return text === undefined ? rest(update) : oneLine(text, 2000);
}

function describePlan(update: JsonObject): string {
  const entries = arrayOf(update['entries']).map((entry) => {
    const { status, content } = objectOf(entry);
    const mark = planMarks.get(status) ?? ' ';
    return `[${mark}] ${oneLine(textOf(content) ?? '', 120)}`;
  });
  return entries.length === 0 ? 'plan is empty' : entries.join(' · ');
}

function describeCommands(update: JsonObject): string {
  const names = arrayOf(update['availableCommands']).map((command) => textOf(objectOf(command)['name']) ?? '?');
  return oneLine(`${names.length} available: ${names.join(', ')}`, 500);
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

function describeInfo(update: JsonObject): ExchangeText {
  const title = textOf(update['title']);
  const message = title === undefined ? rest(update) : `title is now "${oneLine(title, 200)}"`;
  return { level: 'debug', logger: 'session', message };
}

function describeCompaction(update: JsonObject): ExchangeText {
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
function rest({ sessionUpdate: _kind, ...fields }: JsonObject): string {
  // May name a subagent's session that isn't known yet.
  return withShortNamedIds(boundedJson(fields, 1000));
}

/**
 * Converts version 2's form of an update to version 1's: plans are updated, the first update of a tool call creates it, its content comes
 * in chunks, and summaries are content. Returns any other update unchanged.
 * @param isNewCall whether this is the first update of its tool call
 */
export function asVersion1(update: JsonObject, isNewCall: boolean): JsonObject {
  switch (textOf(update['sessionUpdate'])) {
    case 'tool_call_update':
      return isNewCall ? { ...withName(update), sessionUpdate: 'tool_call' } : update;
    case 'tool_call_content_chunk':
      return { ...update, sessionUpdate: 'tool_call_update', content: [update['content']] };
    case 'plan_update': {
      const { entries } = objectOf(update['plan']);
      return Array.isArray(entries) ? { sessionUpdate: 'plan', entries: arrayOf(entries) } : update;
    }
    case 'compaction_update': {
      const { summary } = update;
      if (!Array.isArray(summary)) return update;
      return {
        ...update,
        summary: arrayOf(summary)
          .map((block) => contentText(block))
          .join(' '),
      };
    }
    default:
      return update;
  }
}

/** Titles a tool call without a title by its tool, or else by its ID. */
function withName(update: JsonObject): JsonObject {
  const name = textOf(update['title']) ?? textOf(update['name']) ?? textOf(update['toolCallId']);
  return name === undefined ? update : { ...update, title: name };
}
