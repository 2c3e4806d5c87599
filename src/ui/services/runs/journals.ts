import * as vscode from 'vscode';
import type { RunDefinition, RunSpec } from '../../../live/config/launchSpec';
import type { PageFile } from '../../../store/pageReader';
import { wordsOf } from '../../../live/config/launchSpec';
import { displayOf } from '../../../text/translator';
import { translate } from '../../kit/translate';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine, redactWords } from '../../../runLog/reading/redactEvent';
import type { Run } from '../../../live/run';
import type { Runs } from '../../../runs/runs';
import type { JournalFolder } from '../../../wire/journal/journalFolder';
import type * as journalWriter from '../../../wire/journal/journalWriter';
import type { JournalWriter } from '../../../wire/journal/journalWriter';
import { beatSeconds } from '../../../wire/journal/beingWritten';
import type { SpillFolder } from '../../../machine/spill/spillFolder';
import type { Configuration } from '../configuration';
import { DisposableOwner } from '../../kit/disposables';
import { agentOutputLink, showError } from '../../kit/notify';

/** How long to wait for writes at the end, in milliseconds. VS Code gives an extension a few seconds. */
const closeGrace = 2000;

/** Creates the journals of this window's runs as the settings say. */
export class Journals extends DisposableOwner {
  private readonly open = new Set<JournalWriter>();

  constructor(
    private readonly folder: JournalFolder,
    private readonly spills: SpillFolder,
    private readonly configuration: Configuration,
    runs: Runs,
  ) {
    super();
    this.own(runs.onDidAdd((run) => this.watch(run)));
    // Writes what is still buffered when the extension host exits.
    const atExit = (): void => {
      for (const journal of this.open) journal.writeNow();
    };
    process.once('exit', atExit);
    this.own({ dispose: () => process.removeListener('exit', atExit) });
  }

  /** Creates the journal of a run that is about to start; `undefined` if the settings disable journals. */
  create(
    runId: string,
    { name, protocol }: RunDefinition,
    spec: RunSpec,
    redactor: LineRedactor | undefined,
  ): JournalWriter | undefined {
    const settings = this.configuration.journal;
    if (!settings.enabled) return undefined;
    const startedAt = Date.now();
    const agent = redactedLine(name, redactor);
    if ([...this.open].some(({ isHanging }) => isHanging)) {
      this.warn(name, vscode.l10n.t("the disk doesn't respond"));
      return undefined;
    }
    // Not at activation, and synchronous.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const loaded = require('../../../wire/journal/journalWriter') as typeof journalWriter;
    return new loaded.JournalWriter({
      fileOf: this.folder.fileOf(agent, runId, startedAt),
      header: {
        journal: 1,
        host: { pid: process.pid, beat: beatSeconds },
        agent,
        protocol,
        command: redactWords(wordsOf(spec), redactor),
        cwd: redactedLine(spec.cwd, redactor),
        startedAt: new Date(startedAt).toISOString(),
        ...(redactor && { redacted: true }),
      },
      startedAt,
      maxFileSize: settings.maxFileSize,
      onPart: () => void this.folder.prune(settings, Date.now(), this.filesInUse()),
      onProblem: (error) => this.warn(name, translate(displayOf(error))),
    });
  }

  /** Makes the file for a run's records that memory has no room for; `undefined` if the settings want nothing on disk. */
  spillFile(): (() => PageFile) | undefined {
    if (!this.configuration.journal.enabled) return undefined;
    void this.spills.sweepOnce();
    return () => this.spills.create();
  }

  /** Resolves when everything is written, or VS Code wouldn't wait any longer. */
  async close(): Promise<void> {
    const closed = Promise.all([...this.open].map((journal) => journal.close()));
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeGrace))]);
  }

  override dispose(): void {
    this.spills.dispose();
    super.dispose();
  }

  private watch(run: Run): void {
    const { journal } = run;
    if (!journal) return;
    this.open.add(journal);
    run.onDidChangeState(({ type }) => {
      // Its last lines may still be written. If that hangs, so would other journals on the same disk.
      if (type === 'ended') void journal.close().finally(() => journal.isHanging || this.open.delete(journal));
    });
  }

  private warn(agent: string, problem: string): void {
    const text = vscode.l10n.t('Stopped writing the journal of {0}: {1}. The run goes on.', agent, problem);
    void showError(text, agentOutputLink(agent));
  }

  private filesInUse(): ReadonlySet<string> {
    return new Set([...this.open].flatMap(({ path }) => path ?? []));
  }
}
