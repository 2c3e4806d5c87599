import { parsedJson } from '../../text/jsonText';
import { numberOf, textOf } from '../../text/json';
import type { SavedDetails, SavedOutcome } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import { failureText } from './failure';
import { requestState } from './requestState';

/** A JSON string. Its length is limited, because a longer one is none of these fields. */
const string = '"((?:[^"\\\\]|\\\\.){0,4000})"';
/** How much of an error to look for its message in, in characters. */
const maxError = 10_000;

const outcomes: Readonly<Record<number, SavedOutcome>> = {
  [requestState.pending]: 'open',
  [requestState.complete]: 'ok',
  [requestState.cancelled]: 'cancelled',
  [requestState.failed]: 'error',
  [requestState.needsInput]: 'open',
};

/** Reads a session's details from the first and last characters of its file: the whole state is at the beginning, the newest changes are at the end. */
export function detailsOfEnds(head: string, tail: string): SavedDetails {
  const state = lastOf(tail, /"modelState"\]?,?(?:"v")?:\{"value":(\d)(?:,"completedAt":(\d{1,16}))?/g);
  const outcome = outcomes[Number(state?.[1] ?? NaN)];
  const title = lastText(tail, '"k":\\["customTitle"\\],"v":') ?? firstText(head, '"customTitle":');
  const models = '"modelId":';
  const error = outcome === 'error' ? problemIn(tail) : undefined;
  return knownDetails({
    id: firstText(head, '"sessionId":'),
    title: title ?? firstText(head + tail, '"message":\\{"text":'),
    model: (lastText(tail, models) ?? firstText(head, models))?.split('/').at(-1),
    folder: firstText(head + tail, '"baseUri":\\{"\\$mid":1,"path":')?.replace(/(?<=.)\/$/, ''),
    startedAt: numberOf(Number(/"creationDate":(\d{1,16})/.exec(head)?.[1])),
    lastAt: state?.[2] === undefined ? undefined : Number(state[2]),
    outcome,
    problem: error === '' ? undefined : error,
  });
}

function problemIn(tail: string): string | undefined {
  const at = tail.lastIndexOf('"errorDetails":{');
  if (at < 0) return undefined;
  const details = tail.slice(at, at + maxError);
  return failureText({ code: firstText(details, '"code":'), message: firstText(details, '"message":') });
}

function firstText(text: string, before: string): string | undefined {
  return unquoted(new RegExp(before + string).exec(text)?.[1]);
}

function lastText(text: string, before: string): string | undefined {
  return unquoted(lastOf(text, new RegExp(before + string, 'g'))?.[1]);
}

function lastOf(text: string, pattern: RegExp): RegExpExecArray | undefined {
  let last: RegExpExecArray | undefined;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) last = match;
  return last;
}

function unquoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : textOf(parsedJson(`"${text}"`));
}
