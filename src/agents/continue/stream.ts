import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentStream } from '../reading/streams/agentStream';
import { readUnknownEvent } from '../reading/streams/unknownEvent';

/**
 * Continue, `cn -p --format json`: one object at the end, with the answer. It has neither tools, tokens nor a session ID; errors are on
 * stderr, as JSON.
 */
export const stream: AgentStream = {
  tried: { version: '1.5' },
  sessionIdNames: [],
  recognises: isResult,
  resembles: isResult,
  reader: (): AgentReader => ({ read }),
};

function isResult({ type, response, status, note }: JsonObject): boolean {
  const isWrapped = textOf(note)?.startsWith('Response was not valid JSON') === true;
  return type === undefined && typeof response === 'string' && status === 'success' && isWrapped;
}

function read(event: JsonObject, writer: AgentWriter): void {
  writer.in({ id: 'continue' });
  if (!isResult(event)) return readUnknownEvent(event, writer);
  writer.started({ agent: 'Continue' });
  writer.turnStarted();
  writer.answer(textOf(event['response']));
  writer.turnEnded({ outcome: 'ok' });
  writer.ended();
}
