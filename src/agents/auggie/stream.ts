import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentStream } from '../reading/streams/agentStream';
import { resultFailure } from '../reading/streams/resultFailure';
import { readUnknownEvent } from '../reading/streams/unknownEvent';

/** Maximum number of retries to read. */
const maxRetries = 100;

/** Auggie, `auggie -p --output-format json`: one `result` at the end, like Claude Code's. It has neither tools nor tokens. */
export const stream: AgentStream = {
  tried: {},
  recognises,
  resembles: () => false,
  reader: (): AgentReader => ({ read }),
};

function recognises({
  type,
  session_id: session,
  request_id: request,
  num_turns: turns,
  ...event
}: JsonObject): boolean {
  const isResult = type === 'result' && typeof session === 'string' && typeof event['is_error'] === 'boolean';
  return (
    isResult && typeof request === 'string' && typeof turns === 'number' && !('uuid' in event || 'duration_ms' in event)
  );
}

function read(event: JsonObject, writer: AgentWriter): void {
  if (!recognises(event)) return readUnknownEvent(event, writer);
  writer.started({ agent: 'Auggie' });
  writer.turnStarted();
  for (const retry of arrayOf(objectOf(event['retry_stats'])['events']).slice(0, maxRetries).map(objectOf)) {
    const why = textOf(retry['error_message']) ?? textOf(retry['retry_reason']) ?? '';
    writer.retry({ inMs: numberOf(retry['backoff_ms']), why });
  }
  writer.answer(textOf(event['result']));
  const failure = resultFailure(event, undefined);
  const error = failure && (textOf(event['result']) ?? textOf(event['subtype']));
  writer.turnEnded({ outcome: failure ? 'error' : 'ok', failure, error });
  writer.ended();
}
