import { ownHead } from '../../text/ownText';
import type { JsonObject } from '../../text/json';
import { isObject, textOf, textsOf } from '../../text/json';
import { providerError } from '../../work/failures/errorText';

/** Maximum length of a message to look for a reason in, in characters. */
const maxMessage = 10_000;
/** Codes that say no more than that the request failed. */
const plainCodes = new Set(['failed', 'unknown']);

/** Why a request failed, from `result.errorDetails`: its code, if it says something, and the reason in the model provider's words. */
export function failureText(details: JsonObject): string {
  const message = ownHead(textOf(details['message']) ?? '', maxMessage);
  const code = textOf(details['code']);
  const isLimited = details['isRateLimited'] === true && !/\brate.?limit/i.test(message);
  return textsOf(
    code !== undefined && !plainCodes.has(code) && code,
    isLimited && 'rate limited',
    details['isQuotaExceeded'] === true && !/quota/i.test(`${code ?? ''} ${message}`) && 'quota exceeded',
    details['responseIsFiltered'] === true && 'the response was filtered',
    reasonIn(message),
  )
    .filter((text) => text !== '')
    .join(': ');
}

/** Copilot's message is a greeting, an ID, and after "Reason:" the error twice, the second time with its name and stack. */
function reasonIn(message: string): string {
  const at = message.indexOf('Reason: ');
  const [whole = ''] = message.slice(at < 0 ? 0 : at + 'Reason: '.length).split('\n\tat ');
  const reason = withoutName(withoutRepetition(whole.trim()));
  const said = providerError(reason);
  const before = /^([^{[\n]{1,200})\n/.exec(reason)?.[1]?.trim();
  return said === reason || before === undefined || said.includes(before) ? said : `${before}: ${said}`;
}

/** The error's name and words after a provider's answer. */
function withoutName(text: string): string {
  const end = /\}: [A-Za-z_.]{1,60}: /.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}

/** `X: ErrorName: X` is `X`. */
function withoutRepetition(text: string): string {
  const name = /: [A-Za-z_.]{1,60}: /g;
  for (let match = name.exec(text); match; match = name.exec(text)) {
    const said = text.slice(0, match.index);
    if (text.slice(name.lastIndex) === said) return said;
    name.lastIndex = match.index + 1;
  }
  return text;
}

/** The text of a Markdown string, or of a plain one. */
export function messageText(message: unknown): string {
  return textOf(message) ?? (isObject(message) ? (textOf(message['value']) ?? '') : '');
}
