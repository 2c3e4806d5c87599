import type { StderrExcerpt, Termination } from '../../wire/termination';
import { describeReason, isFailedEnd, shortEnd } from '../../wire/termination';
import { inEnglish, verbatim } from '../../text/translator';
import { parseLevel } from '../../text/level';
import { boundedJson } from '../../text/boundedJson';
import { withShortNamedIds } from '../../text/sessionLabel';
import { dollars, duration, oneLine } from '../../text/text';
import { contentText } from '../contentText';
import type { JsonObject } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange } from '../jsonrpc/exchangeText';
import { loginRequired, requestCancelled } from '../../work/errorCodes';
import { rpcError } from '../../work/rpcError';
import { describeTurn } from './exchange';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';

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
  return { level: 'info', logger: 'plan', message: text === undefined ? rest(update) : oneLine(text, 2000) };
}

export function describePlan(entries: unknown): ExchangeText {
  const steps = arrayOf(entries).map((entry) => {
    const { status, content } = objectOf(entry);
    const mark = planMarks.get(status) ?? ' ';
    return `[${mark}] ${oneLine(textOf(content) ?? '', 120)}`;
  });
  return { level: 'info', logger: 'plan', message: steps.length === 0 ? 'plan is empty' : steps.join(' · ') };
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

/** Describes how a turn ended, from the `state_update` that ended it. */
export function describeEnd(update: JsonObject, ms: number): ExchangeText {
  const { usage } = update;
  const error = rpcError(update['error']);
  const stopReason = textOf(update['stopReason']);
  if (!error) {
    const text = describeTurn({ stopReason, usage }, duration(ms));
    return stopReason === 'error' ? { ...text, level: 'error' } : text;
  }
  const isCancelled = error.code === requestCancelled;
  const level = isCancelled ? 'info' : error.code === loginRequired ? 'warning' : 'error';
  return errorExchange(level, 'turn', `${isCancelled ? 'cancelled' : 'failed'} after ${duration(ms)}`, error);
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

/** Describes the end of a session. */
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
