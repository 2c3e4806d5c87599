import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { SavedDetails } from '../savedDetails';
import { knownDetails } from '../savedDetails';

/**
 * Reads Kimi's `state.json`. How the newest turn ended is read from the session's file: while a turn runs, this one still says it of the
 * turn before.
 */
export function readAbout(text: string): SavedDetails {
  const state = objectOf(parsedJson(text));
  const title = textOf(state['title']);
  const forkedFrom = textOf(state['forkedFrom']);
  return knownDetails({
    id: textOf(state['id']),
    // It says no more than the next field.
    title: title === `Fork: ${forkedFrom ?? ''}` ? undefined : title,
    folder: textOf(state['cwd']),
    startedAt: numberOf(state['createdAt']),
    forkedFrom,
  });
}
