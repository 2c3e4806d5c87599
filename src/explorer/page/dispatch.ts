import { isObject } from '../../text/json';
import type { Translator } from '../../text/translator';
import { displayedIn, displayOf } from '../../text/translator';
import { shownLine } from '../../text/text';
import { HumanError } from '../../text/humanError';
import { count } from './args';
import type { Handlers, HostMessage } from './messages';
import { callsByName } from './messages';

/** Maximum length of an error's text, in UTF-16 units. */
const maxFailure = 300;

/**
 * Answers a call of the page. A call that isn't in the list, invalid arguments and a failing handler are answered with an error, because
 * the page would wait forever; errors that aren't for the user are reported, too. `undefined` if the message isn't a call.
 */
export async function dispatch(
  message: unknown,
  handlers: Handlers,
  l10n: Translator,
  report: (error: unknown) => void,
): Promise<HostMessage | undefined> {
  if (!isObject(message) || !count(message['id'])) return undefined;
  const { id } = message;
  try {
    return { id, answer: await answerTo(message['call'], message['args'], handlers) };
  } catch (error) {
    if (!(error instanceof HumanError)) report(error);
    return { id, error: shownLine(displayedIn(displayOf(error), l10n), maxFailure) };
  }
}

function answerTo(name: unknown, given: unknown, handlers: Handlers): unknown {
  const call = typeof name === 'string' ? callsByName.get(name) : undefined;
  if (!call) throw new Error(`Unknown call: ${shownLine(String(name), 60)}`);
  const args = call.parse(given);
  if (args === undefined) throw new Error(`Invalid arguments: ${String(name)}`);
  const [group, method = ''] = String(name).split('.');
  const handler = handlers[group as keyof Handlers] as Readonly<Record<string, (args: unknown) => unknown>>;
  return handler[method]?.(args);
}
