import type { Runs } from '../../runs/runs';
import type { Launcher } from '../agents/launcher';
import { Disposables } from '../disposables';
import type { LevelControl } from '../level/levelControl';
import type { OutputChannels } from '../output/outputChannels';
import type { Problems } from '../problems';
import type { RecordDocuments } from '../records/recordDocuments';
import type { SessionTree } from '../tree/sessionTree';
import { AddAgentCommand } from './addAgent';
import { registerCommands } from './commandTable';
import { LevelCommands } from './levelCommands';
import { RecordCommands } from './recordCommands';
import { RunCommands } from './runCommands';
import { SessionCommands } from './sessionCommands';
import { Targets } from './targets';

/** What the commands work on. */
export interface CommandServices {
  readonly runs: Runs;
  readonly launcher: Launcher;
  readonly channels: OutputChannels;
  readonly levels: LevelControl;
  readonly tree: SessionTree;
  readonly documents: RecordDocuments;
  readonly problems: Problems;
}

/** Registers all commands of the extension. */
export function registerAllCommands(services: CommandServices): Disposables {
  const { runs, launcher, channels, levels, tree, documents, problems } = services;
  const targets = new Targets(runs, launcher);
  const disposables = new Disposables();
  const levelCommands = disposables.add(new LevelCommands(runs, targets, levels));
  const table = {
    ...new RunCommands(runs, launcher, targets, channels, levels, tree, documents).table,
    ...new SessionCommands(targets, tree).table,
    ...levelCommands.table,
    ...new RecordCommands(documents, tree).table,
    ...new AddAgentCommand().table,
  };
  disposables.add(registerCommands(table, problems, (arg) => targets.runOf(arg)));
  return disposables;
}
