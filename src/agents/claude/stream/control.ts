import { boundedJson } from '../../../log/boundedJson';
import { duration, oneLine } from '../../../log/text';
import type { Asking } from '../../../work/activity';
import type { JsonObject, RequestId } from '../../../log/json';
import { objectOf, requestIdOf, textOf } from '../../../log/json';
import type { EventText } from '../../../protocols/streams/eventText';
import { restOf } from '../../../protocols/streams/eventText';
import type { EventWriter } from '../../../protocols/streams/eventWriter';
import { activityId } from '../../../protocols/streams/eventWriter';
import { toolTitle } from '../../../protocols/streams/toolText';

/** The control requests that a person has to answer. */
const questions: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['can_use_tool', 'permission'],
  ['elicitation', 'answer'],
  ['request_user_dialog', 'answer'],
]);

/** Kept for a control request until it is answered. */
interface Question {
  readonly asking: Asking;
  readonly toolId: string | undefined;
}

type ControlType = 'control_request' | 'control_response' | 'control_cancel_request';

/**
 * The control protocol between Claude Code and its client (`--input-format stream-json`, `SDKControlRequest`): the only requests in the stream that need
 * a response.
 */
export function readControl(type: ControlType, event: JsonObject, writer: EventWriter): void {
  if (type === 'control_request') return readRequest(event, writer);
  const response = type === 'control_response' ? objectOf(event['response']) : event;
  const id = requestIdOf(response['request_id']);
  const takenBack = type === 'control_cancel_request';
  const request = id === undefined ? undefined : writer.close(id, { takenBack });
  const method = request?.method ?? 'control';
  if (id !== undefined && (takenBack || writer.isInput)) {
    settle(id, request?.noted as Question | undefined, takenBack ? undefined : objectOf(response['response']), writer);
  }
  const after = request ? ` after ${duration(writer.line.event.t - request.startedAt)}` : '';
  if (takenBack) return writer.tell({ level: 'info', logger: method, message: `taken back${after}` });
  writer.tell(describeResponse(response, method, after));
}

/** @param answer absent if the request was withdrawn */
function settle(
  id: RequestId,
  question: Question | undefined,
  answer: JsonObject | undefined,
  writer: EventWriter,
): void {
  const about = { type: 'permission', change: 'settled', id: activityId(String(id)) ?? '' } as const;
  if (!answer) {
    const outcome = 'cancelled';
    return writer.work({ ...about, asking: question?.asking ?? 'permission', toolId: question?.toolId, outcome });
  }
  if (!question) return;
  writer.fact({ ...about, ...question, outcome: answer['behavior'] === 'deny' ? 'refused' : 'allowed' });
  if (question.toolId === undefined) return;
  writer.state.questions.delete(question.toolId);
  writer.fact({ type: 'tool', change: 'resumed', id: question.toolId });
}

function readRequest(event: JsonObject, writer: EventWriter): void {
  const request = objectOf(event['request']);
  const method = oneLine(textOf(request['subtype']) ?? 'control', 100);
  const id = requestIdOf(event['request_id']);
  const asking = questions.get(method);
  const question = asking && { asking, toolId: activityId(textOf(request['tool_use_id'])) };
  if (id !== undefined) writer.open(id, method, question);
  const title = toolTitle(textOf(request['tool_name']) ?? 'a tool', request['input']);
  if (question) {
    const about = { type: 'permission', id: activityId(String(id ?? '')) ?? '', ...question } as const;
    writer.work({ ...about, change: 'asked', title: oneLine(title, 300) });
    if (question.toolId !== undefined) {
      writer.state.questions.set(question.toolId, { ...about, change: 'settled', outcome: 'cancelled', isLost: true });
    }
  }
  if (method !== 'can_use_tool') {
    return writer.tell({ level: 'debug', logger: method, message: `asked ${restOf(request)}` });
  }
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
