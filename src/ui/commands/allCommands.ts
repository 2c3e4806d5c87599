import type { FileRuns } from '../../runs/fileRuns';
import type { Runs } from '../../runs/runs';
import type { RunViews } from '../../runs/runViews';
import type { Launcher } from '../agents/launcher';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { commandIds } from '../ids';
import type { LevelControl } from '../level/levelControl';
import type { OutputChannels } from '../output/outputChannels';
import type { Problems } from '../problems';
import type { RecordDocuments } from '../records/recordDocuments';
import type { SessionTree } from '../tree/sessionTree';
import { registerCommands } from './commandTable';
import { FileCommands } from './fileCommands';
import { JournalCommands } from './journalCommands';
import { LevelCommands } from './levelCommands';
import { ProblemCommands } from './problemCommands';
import { RecordCommands } from './recordCommands';
import { RunCommands } from './runCommands';
import { SessionCommands } from './sessionCommands';
import { Targets } from './targets';

/** What the commands work on. */
export interface CommandServices {
  readonly version: string;
  readonly extensionPath: string;
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
  const {
    version,
    extensionPath,
    configuration,
    runs,
    fileRuns,
    views,
    launcher,
    channels,
    levels,
    tree,
    documents,
    problems,
  } = services;
  const targets = new Targets(runs, views, launcher);
  const disposables = new Disposables();
  const levelCommands = disposables.add(new LevelCommands(runs, targets, levels));
  const table = {
    ...new RunCommands(runs, fileRuns, launcher, targets, channels, levels, tree, documents).table,
    ...new FileCommands(views, fileRuns, targets, tree, launcher, extensionPath).table,
    ...new JournalCommands(fileRuns, views, configuration, targets, tree).table,
    ...new ProblemCommands(views, fileRuns, targets, documents, tree, configuration, version).table,
    ...new SessionCommands(targets, tree).table,
    ...levelCommands.table,
    ...new RecordCommands(documents, tree).table,
    [commandIds.callTool]: async (arg: unknown) => new (await import('./callTool')).CallToolCommand(targets).run(arg),
    [commandIds.addAgent]: async () => new (await import('./addAgent')).AddAgentCommand().run(),
  };
  disposables.add(registerCommands(table, problems, (arg) => targets.viewOf(arg)));
  return disposables;
}
