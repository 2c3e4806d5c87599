import type { PermissionAsker, PermissionRequest } from '../../src/live/acp/permissions';

/** How the user reacts to permission requests. `wait` leaves them open until they are cancelled, or `allowAll`. */
export type PermissionHabit = 'allow' | 'reject' | 'wait';

/** Answers permission requests with a fixed reaction. */
export class ScriptedPermissions {
  habit: PermissionHabit = 'reject';
  readonly asked: PermissionRequest[] = [];
  private readonly waiting: (() => void)[] = [];

  readonly ask: PermissionAsker = (request, token) => {
    this.asked.push(request);
    if (this.habit === 'reject') return Promise.resolve(undefined);
    const allowed = request.options.find(({ kind }) => kind === 'allow_once')?.optionId;
    if (this.habit === 'allow') return Promise.resolve(allowed);
    return new Promise((resolve) => {
      token.onCancellationRequested(() => resolve(undefined));
      this.waiting.push(() => resolve(allowed));
    });
  };

  /** Allows what waits, and from now on everything. */
  allowAll(): void {
    this.habit = 'allow';
    for (const answer of this.waiting.splice(0)) answer();
  }
}
