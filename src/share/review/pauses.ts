import type { CancellationToken } from 'vscode-jsonrpc/node';
import { Slices } from '../../time/slices';
import { Cancelled } from '../../time/waiting';

/** Long work on a shared run, in slices that can be cancelled. */
export class Pauses {
  private readonly slices = new Slices();

  constructor(private readonly token?: CancellationToken) {}

  /** Whether to pause before the next piece of work. */
  get isDue(): boolean {
    return this.slices.isSpent;
  }

  /** @throws Cancelled */
  async pause(): Promise<void> {
    await this.slices.next();
    if (this.token?.isCancellationRequested === true) throw new Cancelled();
  }
}
