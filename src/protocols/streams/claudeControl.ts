import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { objectOf, requestIdOf, textOf } from '../json';
import type { EventText } from './eventText';
import { restOf } from './eventText';
import type { EventWriter } from './eventWriter';
import { toolTitle } from './toolText';

type ControlType = 'control_request' | 'control_response' | 'control_cancel_request';

/**
 * The control protocol between Claude Code and whoever runs it (`--input-format stream-json`, `SDKControlRequest`): the only requests in
 * the stream that somebody waits for the answer of.
 */
export function readControl(type: ControlType, event: JsonObject, writer: EventWriter): void {
  if (type === 'control_request') return readRequest(event, writer);
  const response = type === 'control_response' ? objectOf(event['response']) : event;
  const id = requestIdOf(response['request_id']);
  const takenBack = type === 'control_cancel_request';
  const request = id === undefined ? undefined : writer.close(id, { takenBack });
  const method = request?.method ?? 'control';
  const after = request ? ` after ${duration(writer.event.receivedAt - request.startedAt)}` : '';
  if (takenBack) return writer.tell({ level: 'info', logger: method, message: `taken back${after}` });
  writer.tell(describeResponse(response, method, after));
}

function readRequest(event: JsonObject, writer: EventWriter): void {
  const request = objectOf(event['request']);
  const method = oneLine(textOf(request['subtype']) ?? 'control', 100);
  const id = requestIdOf(event['request_id']);
  if (id !== undefined) writer.open(id, method);
  if (method !== 'can_use_tool') {
    return writer.tell({ level: 'debug', logger: method, message: `asked ${restOf(request)}` });
  }
  const title = toolTitle(textOf(request['tool_name']) ?? 'a tool', request['input']);
  writer.tell({ level: 'notice', logger: 'permission', message: `asked for: ${oneLine(title, 1000)}` });
}

function describeResponse(response: JsonObject, method: string, after: string): EventText {
  const logger = method === 'can_use_tool' ? 'permission' : method;
  if (response['subtype'] === 'error') {
    const error = textOf(response['error']) ?? boundedJson(response['error'] ?? null, 500);
    return { level: 'warning', logger, message: `failed${after}: ${oneLine(error, 1000)}` };
  }
  const answer = objectOf(response['response']);
  const behavior = textOf(answer['behavior']);
  if (behavior === undefined) return { level: 'debug', logger, message: `answered${after} ${restOf(answer)}` };
  const why = textOf(answer['message']);
  return {
    level: 'info',
    logger,
    message: `answered: ${behavior}${after}${why === undefined ? '' : `: ${oneLine(why, 500)}`}`,
  };
}
