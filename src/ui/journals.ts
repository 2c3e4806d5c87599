import * as vscode from 'vscode';
import type { LaunchSpec } from '../runs/launchSpec';
import { messageOf } from '../runs/humanError';
import type { Run } from '../runs/run';
import type { Runs } from '../runs/runs';
import type { JournalFolder } from '../wire/journalFolder';
import { JournalWriter } from '../wire/journalWriter';
import type { Configuration } from './configuration';
import { Disposables } from './disposables';
import { tellError } from './notify';

/** The journals of this window's runs: one of each, as the settings say. */
export class Journals {
  private readonly disposables = new Disposables();
  private readonly open = new Set<JournalWriter>();

  constructor(
    private readonly folder: JournalFolder,
    private readonly configuration: Configuration,
    runs: Runs,
  ) {
    this.disposables.add(runs.onDidAdd((run) => this.watch(run)));
    // What waits for the disk when the extension host ends is written then.
    const atExit = (): void => {
      for (const journal of this.open) journal.writeNow();
    };
    process.once('exit', atExit);
    this.disposables.add({ dispose: () => process.removeListener('exit', atExit) });
  }

  /** A journal for a run that is about to start; `undefined` where the settings want none. */
  create(runId: string, agent: string, spec: LaunchSpec, startedAt: number): JournalWriter | undefined {
    const settings = this.configuration.journal;
    if (!settings.enabled) return undefined;
    void this.folder.prune(settings, startedAt, this.filesInUse());
    return new JournalWriter({
      fileOf: this.folder.fileOf(agent, runId, startedAt),
      header: {
        journal: 1,
        agent,
        protocol: 'acp',
        command: [spec.command, ...spec.args],
        cwd: spec.cwd,
        startedAt: new Date(startedAt).toISOString(),
      },
      startedAt,
      maxFileSize: settings.maxFileSize,
      onProblem: (error) => {
        void tellError(
          vscode.l10n.t(
            'The journal of {0} cannot be written any more: {1}. The run goes on without.',
            agent,
            messageOf(error),
          ),
        );
      },
    });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private watch(run: Run): void {
    const { journal } = run;
    if (!journal) return;
    this.open.add(journal);
    run.onDidChangeState(({ type }) => {
      if (type === 'ended') this.open.delete(journal);
    });
  }

  private filesInUse(): ReadonlySet<string> {
    return new Set([...this.open].flatMap(({ path }) => path ?? []));
  }
}
