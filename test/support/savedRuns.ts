import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerRuns } from '../../src/answers/answerRuns';
import { FileRuns } from '../../src/past/files/fileRuns';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import type { Redaction } from '../../src/redact/redactorFor';
import { Runs, RunViews } from '../../src/runs/runs';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { makeSavedHome, savedHomeOptions } from './savedHome';

/** A home with saved sessions, and the runs of its files, for each test or for the current suite. */
export function useSavedRuns(lifetime: 'test' | 'suite' = 'test', redaction?: Redaction) {
  const [begin, end] = lifetime === 'suite' ? [before, after] : [beforeEach, afterEach];
  let path = '';
  let fileRuns: FileRuns;
  begin(() => {
    path = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(path);
    mkdirSync(join(path, 'journals'));
    const folder = new JournalFolder(join(path, 'journals'));
    fileRuns = new FileRuns(folder, folder, () => ({ level: 'info', maxMemory: 1e7, redaction }));
  });
  end(async () => {
    await fileRuns.dispose();
    rmSync(path, { recursive: true, force: true });
  });
  const saved = () => new SavedSessions(savedHomeOptions(path));
  const answerRuns = (isShown = true, folders?: readonly string[], maxOpen = Infinity): AnswerRuns => {
    const sessions = saved();
    const source = { isShown, ...(folders && { folders }), load: () => Promise.resolve(sessions) };
    const choice = { isHere: () => true, isFirst: () => true, maxOpen };
    return new AnswerRuns(new RunViews(new Runs(), fileRuns), fileRuns, source, choice);
  };
  return { inHome: (...names: readonly string[]) => join(path, ...names), fileRuns: () => fileRuns, saved, answerRuns };
}
