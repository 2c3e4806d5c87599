import type { CancellationToken } from 'vscode';
import { shownLine } from '../../../text/text';
import type { FileRun } from '../../../past/files/fileRun';
import { isFileRun } from '../../../past/files/fileRuns';
import type { FileRuns } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import type { RunViews } from '../../../runs/runs';
import { unlessCancelled } from '../../../time/waiting';
import type { SavedSource } from '../../services/localSessions';
import { isAsking } from '../../../runs/lmTools/askingSession';

/** How many saved sessions of each agent are offered. */
const maxSaved = 20;

/** The runs that tools can read: those in the tree, and journals and saved sessions of this workspace. */
export class ToolRuns {
  /** @param isHere whether a folder belongs to this workspace */
  constructor(
    private readonly views: RunViews,
    private readonly fileRuns: FileRuns,
    private readonly isHere: (folder: string) => boolean,
    private readonly saved: SavedSource,
  ) {}

  /** Newest first. @param asking the ID of the chat session that asks, which is left out */
  async all(asking: string | undefined): Promise<readonly RunView[]> {
    const shown = this.views.all;
    const runs = (await this.views.withPast()).filter((run) => shown.includes(run) || this.isHere(run.cwd));
    const saved = (await this.savedRuns()).filter((run) => !shown.includes(run));
    const all = [...runs, ...saved].filter((run) => !isAsking(run, asking));
    return all.sort((a, b) => b.startedAt - a.startedAt);
  }

  /** The newest sessions that agents saved in this workspace's folders. */
  private async savedRuns(): Promise<readonly FileRun[]> {
    const { isShown, folders } = this.saved;
    if (!isShown || folders.length === 0) return [];
    const saved = await this.saved.load();
    const newest = await saved.newest({ folders, limit: maxSaved });
    return newest.map((session) => this.fileRuns.saved(saved.open(session)));
  }

  /**
   * The run with an id, or the newest of an agent, or the newest of all; a saved session only if there is no run. Reads a past run first. Returns an explanation if there is none.
   * @throws Cancelled, or if a journal can't be read
   */
  async find(wanted: unknown, asking: string | undefined, token: CancellationToken): Promise<RunView | string> {
    const all = await this.all(asking);
    const run =
      wanted === undefined || wanted === ''
        ? (all.find((one) => !isSaved(one)) ?? all[0])
        : (all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted));
    if (!run) return unknownRun(all);
    if (isFileRun(run) && (run.state.type === 'unread' || run.state.type === 'reading')) {
      // Opened like by the user, so that the usual limit on open runs applies.
      await this.fileRuns.show(run);
      await unlessCancelled(run.read(), token);
    }
    return run;
  }
}

/** It may be the session of the very agent that asks. */
function isSaved(run: RunView): boolean {
  return isFileRun(run) && run.info.saved !== undefined;
}

function unknownRun(all: readonly RunView[]): string {
  if (all.length === 0) return 'No agent has run here yet.';
  const names = [...new Set(all.map(({ name }) => `"${shownLine(name, 60)}"`))].slice(0, 20);
  return `There is no such run. Agents that have run here: ${names.join(', ')}. List the runs for their ids.`;
}
