import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { CancellationToken } from 'vscode-jsonrpc/node';
import type { SaverId } from '../../../src/agents/agents';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportRun } from '../../../src/export/exportRun';
import type { FileRun } from '../../../src/past/files/fileRun';
import { rowsOf } from '../../support/columns';
import { redactionWith } from '../../support/redaction';
import { useSavedRuns } from '../../support/savedRuns';

describe('copies of saved sessions', () => {
  const { inHome, fileRuns, saved } = useSavedRuns();

  async function savedRun(agent: SaverId): Promise<FileRun> {
    const sessions = saved();
    const session = (await sessions.list(agent)).sessions.at(-1);
    return fileRuns().show(fileRuns().saved(sessions.open(session ?? assert.fail('no session'))));
  }

  async function exported(run: FileRun, format: ExportFormat): Promise<string> {
    const path = inHome(`copy.${format}`);
    const options = { path, format, redaction: redactionWith(), token: CancellationToken.None };
    await exportRun(run, { ...options, onProgress: () => undefined });
    return path;
  }

  const textsOf = ({ log }: FileRun) => rowsOf(log.store.query(), 'receivedAt', 'sessionId', 'level', 'message');

  it('have the times of a session that is read in several parts', async () => {
    const [session] = (await saved().list('pi')).sessions;
    const said = { role: 'user', content: 'x '.repeat(1000) };
    const lines = Array.from({ length: 100 }, (_, n) => {
      const timestamp = `2026-11-22T10:${10 + (n % 50)}:00.000Z`;
      return JSON.stringify({ type: 'message', id: `m${n}`, timestamp, message: said });
    });
    appendFileSync(session!.path, `${lines.join('\n')}\n`);
    const run = await savedRun('pi');
    await run.read();
    const copy = await fileRuns().show(await fileRuns().at(await exported(run, 'journal'), 'opened'));
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
