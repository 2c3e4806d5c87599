import type { ToolCall } from '../../../work/tools/toolCall';

/** How long the model behind an MCP client may take to call a tool again after a failure, in milliseconds. */
export const patience = 120_000;

/**
 * The problem that a tool without a turn failed: its next success settles it.
 * @param isMisled whether its arguments were wrong, so that a success with others settles it
 */
export function failedCallSubject({ sessionId, title, input = '' }: ToolCall, isMisled: boolean): string {
  return `call ${sessionId} ${title} ${isMisled ? '' : input}`;
}
