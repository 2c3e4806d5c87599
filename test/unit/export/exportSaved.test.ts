import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SaverId } from '../../../src/agents/agents';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportRun } from '../../../src/export/exportRun';
import type { FileRun } from '../../../src/past/files/fileRun';
import { FileRuns } from '../../../src/past/files/fileRuns';
import { SavedSessions } from '../../../src/past/saved/list/savedSessions';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { makeSavedHome, savedHomeOptions } from '../../support/savedHome';
import { redactionWith } from '../../support/redaction';

describe('copies of saved sessions', () => {
  let home: string;
  let fileRuns: FileRuns;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    const nowhere = new JournalFolder('/nowhere');
    fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined }));
  });

  afterEach(async () => {
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  async function savedRun(agent: SaverId): Promise<FileRun> {
    const saved = new SavedSessions(savedHomeOptions(home));
    const session = (await saved.list(agent)).sessions.at(-1);
    return fileRuns.show(fileRuns.saved(saved.open(session ?? assert.fail('no session'))));
  }

  async function exported(run: FileRun, format: ExportFormat): Promise<string> {
    const path = join(home, `copy.${format}`);
    await exportRun(run, {
      path,
      format,
      redaction: redactionWith(),
      token: { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) },
      onProgress: () => undefined,
    });
    return path;
  }

  const textsOf = (run: FileRun): string[] =>
    run.log.store.query().map(({ receivedAt, sessionId, level, message }) => {
      return `${receivedAt} ${sessionId ?? ''} ${level} ${message}`;
    });

  it('have the times of a session that is read in several parts', async () => {
    const [session] = (await new SavedSessions(savedHomeOptions(home)).list('pi')).sessions;
    const said = { role: 'user', content: 'x '.repeat(1000) };
    const lines = Array.from({ length: 100 }, (_, n) => {
      const timestamp = `2026-11-22T10:${10 + (n % 50)}:00.000Z`;
      return JSON.stringify({ type: 'message', id: `m${n}`, timestamp, message: said });
    });
    appendFileSync(session!.path, `${lines.join('\n')}\n`);
    const run = await savedRun('pi');
    await run.read();
    const copy = await fileRuns.show(await fileRuns.at(await exported(run, 'journal'), 'opened'));
    await copy.read();
    assert.deepEqual(textsOf(copy), textsOf(run));
  });

  it('are redacted, and say so', async () => {
    const path = await exported(await savedRun('claude'), 'journal');
    const [header = ''] = readFileSync(path, 'utf8').split('\n');
    assert.deepEqual((JSON.parse(header) as { redacted?: boolean }).redacted, true);
  });

  it('include subagent records as text and JSON lines', async () => {
    const run = await savedRun('claude');
    assert.match(readFileSync(await exported(run, 'text'), 'utf8'), /Find all TODOs\./);
    assert.match(readFileSync(await exported(run, 'jsonl'), 'utf8'), /"message":"Find all TODOs\."/);
  });
});
