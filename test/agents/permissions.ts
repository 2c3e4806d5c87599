import type { PermissionAsker, PermissionRequest } from '../../src/runs/acp/permissions';

/** A person's way with permissions: `wait` leaves the question standing until nobody wants the answer any more. */
export type PermissionHabit = 'allow' | 'reject' | 'wait';

/** Answers permissions as somebody would who has made up their mind before. */
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
