import type { PermissionAsker } from '../../runs/acp/permissions';
import type { Configuration } from '../configuration';

/** Asks the user for permissions, one at a time. */
export class PermissionPicker {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly configuration: Configuration) {}

  /** Returns the function that asks on behalf of one agent. */
  for(agent: string): PermissionAsker {
    return (request, token) => {
      if (this.configuration.rejectsPermissions) return Promise.resolve(undefined);
      const answer = this.last.then(async () => {
        const { askPermission } = await import('./askPermission');
        return token.isCancellationRequested ? undefined : askPermission(agent, request, token);
      });
      this.last = answer.catch(() => undefined);
      return answer;
    };
  }
}
