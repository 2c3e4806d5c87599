import type { PermissionAsker, PermissionRequest } from '../../src/live/acp/permissions';

/** How the user reacts to permission requests. `wait` leaves them open until they are cancelled. */
export type PermissionHabit = 'allow' | 'reject' | 'wait';

/** Answers permission requests with a fixed reaction. */
export class ScriptedPermissions {
  habit: PermissionHabit = 'reject';
  readonly asked: PermissionRequest[] = [];

  readonly ask: PermissionAsker = (request, token) => {
    this.asked.push(request);
    if (this.habit === 'reject') return Promise.resolve(undefined);
    if (this.habit === 'allow') {
      return Promise.resolve(request.options.find(({ kind }) => kind === 'allow_once')?.optionId);
    }
    return new Promise((resolve) => {
      token.onCancellationRequested(() => resolve(undefined));
    });
  };
}
