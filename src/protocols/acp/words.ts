import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import { boundedJson } from '../../text/boundedJson';
import { parseLevel } from '../../text/level';
import { markedId, withShortNamedIds } from '../../text/sessionLabel';
import { dollars, duration, oneLine } from '../../text/text';
import { inEnglish, verbatim } from '../../text/translator';
import type { StderrExcerpt, Termination } from '../../wire/termination';
import { describeReason, isFailedEnd, shortEnd } from '../../wire/termination';
import { loginRequired, requestCancelled } from '../../work/errorCodes';
import { rpcError } from '../../work/rpcError';
import type { Ended } from '../../work/step';
import { commandEndOf } from '../../work/tools/toolOutput';
import { outcomeWord } from '../../work/tools/toolWords';
import { contentText } from '../../work/tools/contentText';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange, errorMessage } from '../jsonrpc/exchangeText';
import type { Child, Item, Terminal } from './session';
import { nameOf } from './session';

/** A session notice (ACP RFD "Session Notices"). `severity` is an open enumeration; one that isn't a level is kept as data. */
export function describeNotice({ severity, title, description }: JsonObject): ExchangeText {
  const level = parseLevel(severity);
  return {
    level: level ?? 'notice',
    kind: 'notice',
    message: textsOf(textOf(title) ?? '(no title)', description).join(': '),
    ...(level === undefined && severity !== undefined && { data: { severity } }),
  };
}

const planMarks: ReadonlyMap<unknown, string> = new Map([
  ['completed', 'x'],
  ['in_progress', '>'],
  ['cancelled', '-'],
]);

/** Version 2 updates plans: entries like those of version 1, a text, or an unknown type. */
export function describePlanUpdate(update: JsonObject): ExchangeText {
  const plan = objectOf(update['plan']);
  if (Array.isArray(plan['entries'])) return describePlan(plan['entries']);
  const text = textOf(plan['content']) ?? textOf(plan['uri']);
  return planText(text === undefined ? rest(update) : oneLine(text, 2000));
}

export function describePlan(entries: unknown): ExchangeText {
  const steps = arrayOf(entries).map((entry) => {
    const { status, content } = objectOf(entry);
    const mark = planMarks.get(status) ?? ' ';
    return `[${mark}] ${oneLine(textOf(content) ?? '', 120)}`;
  });
  return planText(steps.length === 0 ? 'plan is empty' : steps.join(' · '));
}

function planText(message: string): ExchangeText {
  return { level: 'info', logger: 'plan', content: 'answer', message };
}

export function describeCommands(update: JsonObject): ExchangeText {
  const names = arrayOf(update['availableCommands']).map((command) => textOf(objectOf(command)['name']) ?? '?');
  const message = oneLine(`${names.length} available: ${names.join(', ')}`, 500);
  return { level: 'debug', logger: 'commands', message };
}

export function describeOptions(update: JsonObject): ExchangeText {
  const options = arrayOf(update['configOptions']).map((option) => {
    const { id, configId, currentValue } = objectOf(option);
    return `${textOf(id) ?? textOf(configId) ?? '?'}=${boundedJson(currentValue ?? null, 60)}`;
  });
  return { level: 'info', logger: 'config', message: oneLine(options.join(' '), 500) };
}

export function describeUsage(update: JsonObject): ExchangeText {
  const cost = costText(objectOf(update['cost']));
  const used = `${boundedJson(update['used'] ?? null, 20)} of ${boundedJson(update['size'] ?? null, 20)}`;
  return { level: 'debug', logger: 'usage', message: `${used} tokens used${cost}` };
}

function costText({ amount, currency }: JsonObject): string {
  if (typeof amount !== 'number') return '';
  return `, cost ${currency === 'USD' ? dollars(amount) : `${amount.toFixed(4)} ${oneLine(textOf(currency) ?? '', 10)}`}`;
}

export function describeInfo(update: JsonObject): ExchangeText {
  const title = textOf(update['title']);
  const { sessionUpdate: _kind, _meta: meta, ...fields } = update;
  const isMeta = isObject(meta) && Object.keys(fields).every((name) => name === 'sessionId');
  const changed = isMeta ? metaText(meta) : rest(update);
  const message = title === undefined ? changed : `title is now "${oneLine(title, 200)}"`;
  return { level: 'debug', logger: 'session', message };
}

const maxFields = 10;

/** What extensions add: `codex: threadStatus=active`. All of it is in the line. */
function metaText(meta: JsonObject): string {
  const parts = Object.entries(meta)
    .slice(0, maxFields)
    .map(([extension, value]) => {
      const fields = Object.entries(objectOf(value))
        .slice(0, maxFields)
        .map(([name, one]) => {
          const said = textOf(one) ?? textOf(objectOf(one)['message']) ?? textOf(objectOf(one)['type']);
          return said === undefined ? name : `${name}=${oneLine(said, 200)}`;
        });
      return fields.length === 0 ? extension : `${extension}: ${fields.join(', ')}`;
    });
  return oneLine(withShortNamedIds(parts.join('; ')), 500);
}

export function describeCompaction(update: JsonObject, isFailed: boolean): ExchangeText {
  const { error, summary } = update;
  const status = textOf(update['status']) ?? 'changed';
  const why = error === undefined || error === null ? '' : (textOf(error) ?? boundedJson(error, 500));
  // In version 2, the summary is content.
  const blocks = Array.isArray(summary) ? arrayOf(summary).map((block) => contentText(block)) : textsOf(summary);
  const detail = blocks.length === 0 ? why : blocks.join(' ');
  const message = `${status} ${oneLine(detail, 300)}`.trim();
  return { level: isFailed ? 'warning' : 'info', logger: 'compaction', message };
}

/** Shows an update of an unknown kind in full. */
export function describeUnknown(update: JsonObject): ExchangeText {
  return { level: 'info', logger: textOf(update['sessionUpdate']) ?? 'session/update', message: rest(update) };
}

/** The remaining fields as compact JSON. */
function rest({ sessionUpdate: _kind, ...fields }: JsonObject): string {
  // May name a subagent's session that isn't known yet.
  return withShortNamedIds(boundedJson(fields, 1000));
}

/** @param end how the call ended, if the update says that it has */
export function describeTool(title: string, update: JsonObject, isNew: boolean, end: Ended | undefined): ExchangeText {
  const status = end ? outcomeWord(end) : textOf(update['status']);
  // An earlier update, or its terminal, may have said how a command failed.
  const exit = commandEndOf(update).exitCode ?? (end?.exitCode === 0 ? undefined : end?.exitCode);
  const failed = end ? end.outcome === 'error' : status === 'failed';
  const state = [...(status === undefined ? [] : [status]), ...(exit === undefined ? [] : [`exit ${exit}`])].join(', ');
  const output = outputOf(update);
  return {
    level: failed ? 'notice' : isNew || end || status === 'completed' || status === 'cancelled' ? 'info' : 'debug',
    logger: 'tool',
    content: 'tool',
    message:
      `${oneLine(title, 200)} ${state === '' ? '' : `(${state})`}${output === '' ? '' : `: ${oneLine(output, 300)}`}`.trim(),
    ...(isNew && isObject(update['rawInput']) && { data: update['rawInput'] }),
  };
}

/** What a call shows, aside from its terminals. */
export function outputOf(update: JsonObject): string {
  const { content } = update;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content ?? ''];
  const text = blocks
    .filter((block) => objectOf(block)['type'] !== 'terminal')
    .map((block) => contentText(block))
    .join(' ')
    .trim();
  return text === '' ? (terminalText(update['_meta']) ?? '') : text;
}

/** Maximum number of characters to show of a terminal's output. */
export const maxOutput = 300;

/** Describes what a `terminal_update` changed. @param isNew whether it has another command */
export function describeTerminal(terminal: Terminal, update: JsonObject, isNew: boolean): ExchangeText {
  const name = oneLine(terminal.command ?? textOf(update['terminalId']) ?? 'a terminal', 200);
  const exit = exitOf(objectOf(update['exitStatus']));
  const isShown = exit !== undefined || objectOf(update['output'])['data'] !== undefined;
  const output = isShown ? oneLine(terminal.output, maxOutput) : '';
  return {
    level: isNew || exit !== undefined ? 'info' : 'debug',
    logger: 'terminal',
    content: 'tool',
    message: `${name}${exit === undefined ? '' : ` (${exit})`}${output === '' ? '' : `: ${output}`}`,
  };
}

function exitOf({ exitCode, signal }: JsonObject): string | undefined {
  const by = textOf(signal);
  if (by !== undefined) return `ended by ${oneLine(by, 40)}`;
  return typeof exitCode === 'number' ? `exit ${exitCode}` : undefined;
}

export function describeBackground(items: readonly Item[]): ExchangeText {
  const names = items.map(({ title }) => title).join(', ');
  const message = items.length === 0 ? 'no background work left' : `in the background: ${oneLine(names, 500)}`;
  return { level: 'info', logger: 'background', message };
}

/** Why the announcement of a subagent is invalid. */
export type Misannounced = 'itself' | 'ancestor' | 'other-parent' | 'too-many';

const problems: Readonly<Record<Misannounced, string>> = {
  itself: 'a session announced as its own subagent',
  ancestor: 'a session announced as a subagent of its own subagent',
  'other-parent': 'a subagent that another session announced first',
  'too-many': 'too many subagents, or nested too deeply; further ones are shown at the top level',
};

export function misannounced(id: string, problem: Misannounced): ExchangeText {
  return ofSubagent('debug', `ignored ${markedId(id)}: ${problems[problem]}`);
}

/**
 * Describes what a `subagent_update` changes.
 * @param shown the state that its parent's log shows, which isn't repeated
 */
export function describeSubagent(
  child: Child,
  update: JsonObject,
  isNew: boolean,
  shown: string | undefined,
): ExchangeText {
  const name = `"${nameOf(child)}"`;
  const { state: told, sessionUpdate: _kind, sessionId: _id, title: _title, description: _text, ...others } = update;
  const state = isObject(told) ? told : undefined;
  const next = textOf(state?.['state']) ?? shown;
  if (isNew && next !== 'idle') {
    const about = child.title === undefined ? undefined : child.description;
    return ofSubagent('info', `started ${name}${about === undefined ? '' : `: ${about}`}`);
  }
  if (state && next !== shown) return stateText(name, state, shown);
  const rest = Object.keys(others).length === 0 ? '' : ` ${boundedJson(others, 300)}`;
  const how = 'state' in update ? ` ${textOf(state?.['state']) ?? 'state unknown'}` : '';
  return ofSubagent('debug', `${name}${how}${rest}`);
}

function stateText(name: string, state: JsonObject, before: string | undefined): ExchangeText {
  const error = rpcError(state['error']);
  switch (state['state']) {
    case 'idle':
      // The child's log has this as an error.
      if (error) return ofSubagent('warning', `${name} failed: ${errorMessage(error)}`);
      return ofSubagent('info', `${name} ended: ${textOf(state['stopReason']) ?? 'no stop reason'}`);
    case 'running':
      return before === 'idle' ? ofSubagent('info', `${name} runs again`) : ofSubagent('debug', `${name} runs`);
    case 'requires_action':
      return ofSubagent('debug', `${name} waits for the user`);
    default:
      return ofSubagent('debug', `${name}: state ${oneLine(textOf(state['state']) ?? 'unknown', 40)}`);
  }
}

export function withoutId(update: JsonObject): ExchangeText {
  return ofSubagent('debug', `announced without a sessionId: ${boundedJson(update, 300)}`);
}

function ofSubagent(level: ExchangeText['level'], message: string): ExchangeText {
  return { level, logger: 'subagent', message };
}

/**
 * Describes a message between sessions.
 * @param text absent if it follows in chunks
 */
export function describeMessage(lead: string, text: string | undefined): ExchangeText {
  const level = text !== undefined && lead.startsWith('from') ? 'info' : 'debug';
  return { level, logger: 'message', content: 'answer', message: text === undefined ? lead.trim() : `${lead}${text}` };
}

/** Describes the end of a turn from its response. @param isCancelled by the client, whatever the response says */
export function describeTurn(
  result: Readonly<Record<string, unknown>>,
  took: string,
  isCancelled: boolean,
): ExchangeText {
  const { usage } = result;
  const said = textOf(result['stopReason']) ?? textOf(result['messageId']) ?? 'no stop reason';
  const reason = isCancelled && said !== 'cancelled' ? `cancelled (the agent says ${said})` : said;
  const level = reason === 'refusal' || reason.startsWith('max_') ? 'warning' : 'info';
  return {
    level,
    logger: 'turn',
    message: `ended after ${took}: ${reason}`,
    ...(isObject(usage) && { data: { usage } }),
  };
}

/** Describes how a turn ended, from the `state_update` that ended it. */
export function describeEnd(update: JsonObject, ms: number, isCancelled: boolean): ExchangeText {
  const { usage } = update;
  const error = rpcError(update['error']);
  const stopReason = textOf(update['stopReason']);
  if (!error) {
    const text = describeTurn({ stopReason, usage }, duration(ms), isCancelled);
    return stopReason === 'error' ? { ...text, level: 'error' } : text;
  }
  const isAborted = error.code === requestCancelled;
  const level = isAborted ? 'info' : error.code === loginRequired ? 'warning' : 'error';
  return errorExchange(level, 'turn', `${isAborted ? 'cancelled' : 'failed'} after ${duration(ms)}`, error);
}

/** Describes a state that doesn't end a turn. */
export function describeState(update: JsonObject): ExchangeText {
  const state = textOf(update['state']) ?? '(none)';
  const { sessionUpdate: _kind, state: _state, background, ...others } = update;
  // A valid list is shown when it changes.
  const odd = background === undefined || Array.isArray(background) ? {} : { background };
  const rest = { ...odd, ...others };
  const detail = Object.keys(rest).length === 0 ? '' : ` ${boundedJson(rest, 500)}`;
  // The question itself is a notice.
  if (state === 'requires_action') return { level: 'debug', logger: 'turn', message: `waits for the user${detail}` };
  const isFailure = others['error'] !== undefined && others['error'] !== null;
  return { level: isFailure ? 'error' : 'debug', logger: 'turn', message: `${state}${detail}` };
}

/** The notification with which sandbox-agent and others report that a session's process ended, and how. */
export const sessionEndedMethod = '_sandboxagent/session/ended';

/** Parses the end of a session: snake_case, `terminated_by: agent | daemon`, with fields at the root or under `data`. */
export function sessionTermination(params: unknown): Termination {
  const root = objectOf(params);
  const fields = isObject(root['data']) ? root['data'] : root;
  const { reason, terminated_by: by, exit_code: exitCode, stderr } = fields;
  const message = textOf(fields['message']);
  const signal = textOf(fields['signal']);
  return {
    reason: reason === 'completed' || reason === 'terminated' ? reason : 'error',
    terminatedBy: by === 'agent' ? 'agent' : by === 'daemon' || by === 'client' ? 'client' : 'system',
    ...(message !== undefined && { message: verbatim(message) }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(isObject(stderr) && { stderr: stderrOf(stderr) }),
  };
}

export function describeTermination(termination: Termination): ExchangeText {
  const { message, exitCode, signal } = termination;
  const how = exitCode === undefined && signal === undefined ? undefined : shortEnd(termination);
  const details = [how, message].flatMap((part) => (part ? oneLine(inEnglish(part), 300) : []));
  return {
    level: isFailedEnd(termination) ? 'error' : 'info',
    kind: 'lifecycle',
    message: `the session ${inEnglish(describeReason(termination))}${details.length === 0 ? '' : `: ${details.join(', ')}`}`,
    ...(termination.stderr && { data: { stderr: termination.stderr } }),
  };
}

function stderrOf(stderr: JsonObject): StderrExcerpt {
  const head = textOf(stderr['head']);
  const tail = textOf(stderr['tail']);
  const total = stderr['total_lines'];
  return {
    ...(head !== undefined && { head }),
    ...(tail !== undefined && { tail }),
    truncated: stderr['truncated'] === true,
    totalLines: typeof total === 'number' ? total : (head ?? tail ?? '').split('\n').length,
  };
}

/** What a terminal printed, as agents send it that run commands themselves. */
export function terminalText(meta: unknown): string | undefined {
  const { terminal_output: output, terminal_output_delta: delta = output } = objectOf(meta);
  return textOf(objectOf(delta)['data']);
}
