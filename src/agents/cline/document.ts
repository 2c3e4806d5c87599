import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import { timed } from '../reading/saved/keyedLine';

/** `ID.messages.json` as lines: the session, then each message. */
export function messageLines(document: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  if (textOf(document['sessionId']) === undefined || !('origin' in document)) return undefined;
  const origin = objectOf(document['origin']);
  const parent = textOf(origin['parentThreadId']);
  const version = textOf(origin['version']);
  const first = messages.map(({ ts }) => numberOf(ts)).find((ts) => ts !== undefined);
  const session = {
    type: 'cline.session',
    ...timed(first),
    sessionId: document['sessionId'],
    ...(parent !== undefined && { parent }),
    ...(version !== undefined && { version }),
  };
  const lines = messages.map((message, index): KeyedLine => {
    const key = textOf(message['id']) ?? `message ${index}`;
    return { key, line: { type: 'cline.message', ...timed(numberOf(message['ts'])), message } };
  });
  return [{ key: 'session', line: session }, ...lines];
}
