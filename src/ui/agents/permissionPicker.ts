import type { PermissionAsker } from '../../runs/acp/permissions';
import type { Configuration } from '../configuration';

/** Asks the person for the permissions that agents want, one at a time. */
export class PermissionPicker {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly configuration: Configuration) {}

  /** The asker of one agent. */
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
