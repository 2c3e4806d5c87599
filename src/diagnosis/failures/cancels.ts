import type { TurnCancel } from '../../work/activity';
import { cancelOfParent } from '../../work/activity';

/** A request to cancel that agents don't have to support. */
export const optionalCancel = '$/cancel_request';

/** Whether the agent has to end the turn. */
export function endsTurn({ method }: TurnCancel): boolean {
  return method !== cancelOfParent && method !== optionalCancel;
}
