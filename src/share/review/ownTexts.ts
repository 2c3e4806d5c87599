import type { Words } from '../../text/translator';
import { mapArgs } from '../../text/translator';

/** What stands for a text inside another one. */
export const leftOut = '(left out)';

const measure = String.raw`-?[\d.,]+(?: ?(?:ms|s|min|h|d|%|k|M|B|[kKMGT]B))?(?: [\d.,]+ (?:ms|s|min|h))?`;
const reason = 'end_turn|max_tokens|max_turn_requests|refusal|cancelled|completed';
const code = String.raw`(?:exit|exit code|code|status) -?\d+|SIG[A-Z0-9]{2,8}`;

/** Numbers, and reasons and codes of protocols and systems: they quote nothing. */
const harmless = new RegExp(`^(?:${measure}|${reason}|${code}|error|stderr|stdout|stdin)$`);

/** The beginning of a message that Agent Logs writes itself: what happened and how long it took. */
const ownBeginning = new RegExp(
  [
    `^(?:(?:ended|failed|cancelled|refused|completed|stopped) after ${measure}(?:: (?:${reason})(?![\\w.]))?`,
    `initialized in ${measure}`,
    `session (?:created|loaded|resumed|closed)(?: in ${measure})?`,
    `exited with (?:code -?\\d+|${code})`,
    `${measure} of ${measure} tokens used`,
    'asked to end|running|accepted|started|connected|idle)(?![\\w])',
  ].join('|'),
);

/** How something ended, if the text says nothing else. */
export function ownDetail(text: string): string | undefined {
  return harmless.test(text) ? text : undefined;
}

/** The part of a message that surely is the product's own text; `undefined` if there is none. */
export function ownPart(message: string): string | undefined {
  return ownBeginning.exec(message)?.[0];
}

/** The product's own text; of what it quotes, only numbers and codes. */
export function ownWords(words: Words): Words {
  return mapArgs(words, (arg) => ownDetail(arg) ?? leftOut);
}

/** A name of a program's part, tool, method or model. Texts and paths are none. */
export function nameOf(text: string): string | undefined {
  return /^[\p{L}\p{N}_$][\w.:$+-]{0,60}(?:\/[\w.:$+-]{1,60}){0,2}$/u.test(text) ? text : undefined;
}

/** `left out: prompt of 1,204 characters`. Like the records of a run, it is in English. */
export function omitted(what: string, characters: number): string {
  return `left out: ${what} of ${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'}`;
}
