import { arrayOf, isObject } from '../text/json';
import { hintWords } from '../query/hintWords';
import { errorIn } from '../query/language';
import { parseQuery } from '../query/parseQuery';
import type { SourceRange } from '../query/queryTokens';
import { ownHead } from '../text/ownText';
import { inLine } from '../text/text';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { Alert, Condition, Measure } from './alert';
import { measures } from './alert';

/** An invalid entry of `agentLogs.alerts`, or one that probably doesn't mean what the user expects. */
export interface AlertMistake {
  /** Where it is in the setting: an index and a field. Empty if the whole setting is invalid. */
  readonly path: readonly (string | number)[];
  /** The part of a query. */
  readonly range?: SourceRange;
  readonly message: Words;
}

type Problem = Omit<AlertMistake, 'path'> & { readonly field?: readonly string[] };

type Report = (problem: Problem) => void;

/** Maximum length of the user's message, in characters. */
const maxMessage = 500;
const fields: ReadonlySet<string> = new Set(['when', 'message', 'notify']);
const isMeasure = (name: string): name is Measure => (measures as readonly string[]).includes(name);
const measureNames = measures.map((name) => `\`${name}\``).join(', ');

/** Parses the setting. Invalid entries don't affect others. */
export function alertsIn(setting: unknown): {
  readonly alerts: readonly Alert[];
  readonly mistakes: readonly AlertMistake[];
} {
  const alerts: Alert[] = [];
  const mistakes: AlertMistake[] = [];
  if (setting !== undefined && setting !== null && !Array.isArray(setting)) {
    const message = t('`agentLogs.alerts` must be a list: {0}.', '`[{ "when": "level:error" }]`');
    return { alerts, mistakes: [{ path: [], message }] };
  }
  for (const [index, entry] of arrayOf(setting).entries()) {
    const problems: Problem[] = [];
    const alert = alertOf(entry, (problem) => problems.push(problem));
    if (alert) alerts.push(alert);
    for (const { field = [], range, message } of problems) {
      const at = t('{0}: {1}', `agentLogs.alerts[${index}]`, message);
      mistakes.push({ path: [index, ...field], message: at, ...(range && { range }) });
    }
  }
  return { alerts, mistakes };
}

/** @param report receives what is wrong; the alert may be usable nevertheless */
function alertOf(entry: unknown, report: Report): Alert | undefined {
  if (!isObject(entry)) {
    report({ message: t('An alert must be an object with `when`.') });
    return;
  }
  const { when, message, notify } = entry;
  for (const name of Object.keys(entry)) {
    if (!fields.has(name)) report({ field: [name], message: t('Unknown field `{0}`.', ownHead(name, 60)) });
  }
  const isText = message === undefined || typeof message === 'string';
  if (!isText) report({ field: ['message'], message: t('`{0}` must be a string.', 'message') });
  const isSwitch = notify === undefined || typeof notify === 'boolean';
  if (!isSwitch) report({ field: ['notify'], message: t('`{0}` must be true or false.', 'notify') });
  const condition = conditionOf(when, (problem) =>
    report({ ...problem, ...(when !== undefined && { field: ['when', ...(problem.field ?? [])] }) }),
  );
  if (!condition || !isText || !isSwitch) return undefined;
  const own = message === undefined ? '' : ownHead(inLine(message.slice(0, maxMessage)).trim(), maxMessage);
  return {
    key: JSON.stringify(entry),
    when: condition,
    message: own === '' ? undefined : own,
    notifies: notify === true,
  };
}

function conditionOf(when: unknown, report: Report): Condition | undefined {
  if (when === undefined) {
    report({ message: t('`when` is missing.') });
    return;
  }
  if (typeof when === 'string') return queryOf(when, report);
  if (!isObject(when)) {
    report({ message: t('`when` must be a query or an object with a limit.') });
    return;
  }
  const [name, ...others] = Object.keys(when);
  const unknown = [name, ...others].find((other) => other !== undefined && !isMeasure(other));
  if (unknown !== undefined) {
    const message = t('Unknown limit `{0}`. Use one of {1}.', ownHead(unknown, 60), measureNames);
    report({ field: [unknown], message });
    return;
  }
  if (name === undefined || !isMeasure(name) || others.length > 0) {
    report({ message: t('`when` must have one limit: {0}.', measureNames) });
    return;
  }
  const value = when[name];
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    report({ field: [name], message: t('`{0}` must be a number above 0.', name) });
    return;
  }
  if ((name === 'context' || name === 'limit') && value > 100) {
    report({ field: [name], message: t('`{0}` is a percentage: at most 100.', name) });
    return;
  }
  return { type: 'limit', measure: name, value };
}

function queryOf(text: string, report: Report): Condition | undefined {
  const query = parseQuery(text);
  for (const hint of query.hints) report({ range: hint.range, message: hintWords(hint) });
  if (query.terms.length > 0 && errorIn(query) === undefined) return { type: 'query', query, text };
  if (query.hints.length === 0) report({ message: t('The query is empty.') });
  return undefined;
}
