import { formOf } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import { beganAfter } from '../../../machine/processAlive';
import type { RunningPrograms } from '../../../machine/programs';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import type { SavedFile, SavedSession } from '../savedSession';
import { WorkFolders } from './workFolders';

/** The same programs with redacted folders: those of sessions are, too. */
export function withRedactedFolders(programs: RunningPrograms, redactor: LineRedactor | undefined): RunningPrograms {
  return async (names) =>
    (await programs(names)).map((program) => {
      const { folder } = program;
      return folder === undefined ? program : { ...program, folder: redactedLine(folder, redactor) };
    });
}

/**
 * Whether the turn of a session is open, and its agent's program has run in its folder since before it was last written. A file's age tells
 * nothing: agents write nothing while their model answers, and the file of one that was killed is as new.
 */
export async function ofRunningProgram(
  session: SavedFile & SavedDetails,
  programs: RunningPrograms | undefined,
  platform: NodeJS.Platform,
): Promise<Pick<SavedSession, 'running' | 'pid'>> {
  const { agent, modifiedAt, folder, outcome, isBusy } = session;
  const names = formOf(agent).programs;
  const isOpen = outcome === 'open' || (outcome === undefined && isBusy === true);
  if (!programs || !names || !isOpen) return {};
  const folders = new WorkFolders(folder === undefined ? [] : [folder], platform, undefined);
  const found = (await programs(names)).find((program) => {
    return (program.folder === undefined || folders.has(program.folder)) && !beganAfter(program.startedAt, modifiedAt);
  });
  return found ? { running: 'yes', pid: found.pid } : {};
}
