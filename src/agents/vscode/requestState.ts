import type { JsonObject } from '../../text/json';
import { numberOf, objectOf } from '../../text/json';

/** `modelState.value` of a request. */
export const requestState = { pending: 0, complete: 1, cancelled: 2, failed: 3, needsInput: 4 } as const;

export function stateOf(request: JsonObject): number {
  return numberOf(objectOf(request['modelState'])['value']) ?? requestState.pending;
}

/** True if a request has ended. VS Code leaves one pending when it is killed. */
export function isFinal(state: number): boolean {
  return state === requestState.complete || state === requestState.cancelled || state === requestState.failed;
}

/** `isConfirmed.type` of a tool call. */
export const confirmation = { denied: 0, notNeeded: 1, setting: 2, perTool: 3, user: 4, skipped: 5 } as const;
