import type { RunDefinition, RunSpec } from '../../src/live/config/launchSpec';
import { wordsOf } from '../../src/live/config/launchSpec';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../src/wire/journal/journalWriter';

/** Opens a journal like the extension's for each run. */
export function journalIn(folder: string, agent: RunDefinition, spec: RunSpec): JournalWriter {
  const startedAt = Date.now();
  return new JournalWriter({
    fileOf: new JournalFolder(folder).fileOf(agent.name, 'trial', startedAt),
    header: {
      journal: 1,
      agent: agent.name,
      protocol: agent.protocol,
      command: wordsOf(spec),
      cwd: spec.cwd,
      startedAt: new Date(startedAt).toISOString(),
      host: { pid: process.pid },
    },
    startedAt,
    maxFileSize: 1e9,
    onProblem: (error) => {
      throw error;
    },
  });
}
