import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { Turn, Command } from './turn';
import { SampleToolCall } from './turn';

const options: readonly PermissionOption[] = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

export const permission: Command = {
  name: 'permission',
  description: 'Asks for permission before a tool call, and reports the answer.',
  async run(turn) {
    const call = await SampleToolCall.start(turn, 'Delete build/', 'delete', { path: 'build/', recursive: true });
    const toolCallId = call.id;
    await turn.log('notice', 'sample.tools', 'Permission required', { toolCallId, tool: 'delete' });
    const { allowed, answer } = await askPermission(turn, turn.session.id, call.description, turn.signal);
    await call.update(allowed ? 'completed' : 'failed', { answer });
    await turn.log(allowed ? 'info' : 'warning', 'sample.tools', `Permission: ${answer}`, { toolCallId, allowed });
    await turn.say(allowed ? `Allowed (${answer}). Nothing was deleted, though.` : `Not allowed (${answer}).`);
  },
};

/** Asks for permission, in the turn's session or that of its subagent. */
export async function askPermission(
  turn: Turn,
  sessionId: string,
  toolCall: ToolCallUpdate,
  signal: AbortSignal,
): Promise<{ allowed: boolean; answer: string }> {
  const request: RequestPermissionRequest = { sessionId, toolCall, options: [...options] };
  try {
    const { outcome } = await turn.session.connection.client.request(
      methods.client.session.requestPermission,
      request,
      // Withdraws the request (`$/cancel_request`) when the turn is cancelled, without waiting for its answer.
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome !== 'selected') return { allowed: false, answer: outcome.outcome };
    const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
    if (!chosen) return { allowed: false, answer: `${outcome.optionId}, which was not offered` };
    return { allowed: chosen.kind.startsWith('allow'), answer: chosen.name };
  } catch (error) {
    if (signal.aborted || !(error instanceof RequestError)) throw error;
    return { allowed: false, answer: `error ${error.code}: ${error.message}` };
  }
}
