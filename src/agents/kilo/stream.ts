import type { JsonObject } from '../../text/json';
import { isObject, objectOf } from '../../text/json';
import type { StreamVariant } from '../reading/streams/agentStream';

/** Kilo Code, `kilo run --format json`: OpenCode's events. Only some parts have more, so a run that failed at once looks like OpenCode's. */
export const stream: StreamVariant = { tried: { version: '7.7' }, recognises, vary: (opencode) => opencode };

function recognises({ type, part, sessionID }: JsonObject): boolean {
  if (typeof sessionID !== 'string') return false;
  const { metrics, state } = objectOf(part);
  if (type === 'step_finish') return isObject(metrics);
  return type === 'tool_use' && isObject(objectOf(objectOf(state)['metadata'])['approval']);
}
