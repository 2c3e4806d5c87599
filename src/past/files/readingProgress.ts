import type { RunLog } from '../../runLog/runLog';
import type { RunViewState } from '../../runLog/runView';
import type { FileRunInfo } from './fileRunInfo';

/** Shows how far a run's files were read, and then that they are followed. */
export class ReadingProgress {
  /** True if everything that was there at first was read. */
  caughtUp = false;
  private bytesRead = 0;

  constructor(
    private readonly info: FileRunInfo,
    private readonly log: RunLog,
    private readonly enter: (state: RunViewState) => void,
  ) {}

  get percent(): number {
    return Math.round(Math.min(1, this.bytesRead / Math.max(1, this.info.size)) * 100);
  }

  /** Called after some lines, and at each poll for more. */
  slice({ bytesRead, atEnd }: { readonly bytesRead: number; readonly atEnd: boolean }): void {
    this.log.flush();
    const { info } = this;
    const grew = bytesRead !== this.bytesRead;
    this.bytesRead = bytesRead;
    if (!atEnd && !this.caughtUp) {
      return this.enter({ type: 'reading', read: bytesRead, size: Math.max(bytesRead, info.size) });
    }
    if (this.caughtUp && !grew) return;
    const lastAt = this.caughtUp ? Date.now() : info.modifiedAt;
    this.caughtUp = true;
    this.enter({ type: 'following', lastAt, size: bytesRead });
  }
}
