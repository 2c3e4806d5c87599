import type { FileRuns } from '../../runs/files/fileRuns';
import type { Runs } from '../../runs/runs';
import type { RunViews } from '../../runs/runViews';
import type { Launcher } from '../agents/launcher';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { commandIds } from '../ids';
import type { LevelChange, LevelControl } from '../level/levelControl';
import type { OutputChannels } from '../output/outputChannels';
import type { Problems } from '../problems';
import type { RecordDocuments } from '../records/recordDocuments';
import type { InstalledTap } from '../installedTap';
import type { SessionTree } from '../tree/sessionTree';
import type { CommandTable } from './commandTable';
import { loadedLater, registerCommands } from './commandTable';
import { Targets } from './targets';

const ids = commandIds;
const runIds = [
  ids.start,
  ids.startSampleAgent,
  ids.stop,
  ids.restart,
  ids.showOutput,
  ids.showTermination,
  ids.clear,
  ids.removeRun,
  ids.startFromTitle,
  ids.showOutputFromTitle,
] as const;
const fileIds = [ids.openFile, ids.copyTapCommand] as const;
const journalIds = [ids.openPastRun, ids.export, ids.revealJournal, ids.deleteJournal] as const;
const problemIds = [ids.nextProblem, ids.previousProblem, ids.copyReport] as const;
const sessionIds = [ids.newSession, ids.closeSession, ids.prompt, ids.cancel, ids.setMode, ids.copySessionId] as const;
const levelIds = [ids.setLevel, ids.setLevelFromTitle, ids.setLevelFromOutput] as const;
const recordIds = [ids.openRecord, ids.copyMessage, ids.copyRecord, ids.loadOlder] as const;

/** What the commands work on. */
export interface CommandServices {
  readonly version: string;
  readonly tap: InstalledTap;
  readonly configuration: Configuration;
  readonly runs: Runs;
  readonly fileRuns: FileRuns;
  readonly views: RunViews;
  readonly launcher: Launcher;
  readonly channels: OutputChannels;
  readonly levels: LevelControl;
  readonly tree: SessionTree;
  readonly documents: RecordDocuments;
  readonly problems: Problems;
}

/** Registers all commands of the extension. */
export function registerAllCommands(services: CommandServices): Disposables {
  const { runs, views, launcher, levels, problems } = services;
  const targets = new Targets(runs, views, launcher);
  const disposables = new Disposables();
  const table = commandsOf(services, targets);
  disposables.add(registerCommands(table, problems, (arg) => targets.viewOf(arg)));
  // The gear has no text of its own for this.
  const tell = async ({ agent, level, result }: LevelChange): Promise<void> => {
    const { LevelCommands } = await import('./levelCommands');
    await new LevelCommands(runs, targets, levels).tell(agent, level, result);
  };
  disposables.add(
    levels.onDidTakeFromGear((taken) => {
      if (taken.result.agent !== 'needs-restart') return;
      tell(taken).catch((error: unknown) => problems.tell(error));
    }),
  );
  return disposables;
}

function commandsOf(services: CommandServices, targets: Targets): CommandTable {
  const { configuration, runs, fileRuns, views, launcher, channels, levels, tree, documents } = services;
  return {
    ...loadedLater(runIds, async () => {
      const { RunCommands } = await import('./runCommands');
      return new RunCommands(runs, fileRuns, launcher, targets, channels, tree, documents).table;
    }),
    ...loadedLater(fileIds, async () => {
      const { FileCommands } = await import('./fileCommands');
      return new FileCommands(views, fileRuns, targets, tree, launcher, services.tap).table;
    }),
    ...loadedLater(journalIds, async () => {
      const { JournalCommands } = await import('./journalCommands');
      return new JournalCommands(fileRuns, views, configuration, targets, tree).table;
    }),
    ...loadedLater(problemIds, async () => {
      const { ProblemCommands } = await import('./problemCommands');
      return new ProblemCommands(views, fileRuns, targets, documents, tree, configuration, services.version).table;
    }),
    ...loadedLater(
      sessionIds,
      async () => new (await import('./sessionCommands')).SessionCommands(targets, tree).table,
    ),
    ...loadedLater(
      levelIds,
      async () => new (await import('./levelCommands')).LevelCommands(runs, targets, levels).table,
    ),
    ...loadedLater(recordIds, async () => new (await import('./recordCommands')).RecordCommands(documents, tree).table),
    [ids.callTool]: async (arg: unknown) => new (await import('./callTool')).CallToolCommand(targets).run(arg),
    [ids.addAgent]: async () => new (await import('./addAgent')).AddAgentCommand(configuration).run(),
  };
}
