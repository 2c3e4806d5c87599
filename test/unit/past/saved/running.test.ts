import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SaverId } from '../../../../src/agents/agents';
import { likelyRunning } from '../../../../src/past/saved/list/likelyRunning';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedHomeOptions } from '../../../support/savedHome';

const minute = 60_000;
const writtenAt = 1_796_000_000_000;

describe('a saved session without a process', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** Whether the only session of an agent runs, so many minutes after it was written. */
  async function runs(agent: SaverId, minutes: number): Promise<string | undefined> {
    const now = (): number => writtenAt + minutes * minute;
    const folders = { [agent]: home };
    const { sessions } = await new SavedSessions({ ...savedHomeOptions(home), folders, now }).list(agent);
    assert.equal(sessions.length, 1);
    return sessions[0]?.running;
  }

  function write(path: string, lines: readonly string[]): void {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    utimesSync(file, writtenAt / 1000, writtenAt / 1000);
  }

  it('may have an open turn, or say nothing of turns, and runs for two minutes', () => {
    const session = { agent: 'gemini', modifiedAt: writtenAt } as const;
    for (const outcome of ['open', undefined] as const) {
      const known = { ...session, ...(outcome && { outcome }) };
      assert.equal(likelyRunning(known, writtenAt + minute).running, 'likely');
      assert.equal(likelyRunning(known, writtenAt + 3 * minute).running, undefined);
    }
    for (const outcome of ['ok', 'error', 'cancelled'] as const) {
      assert.equal(likelyRunning({ ...session, outcome, isBusy: true }, writtenAt).running, undefined);
    }
  });

  it('of Kimi Code runs until its turn ends, but not for ever', async () => {
    const folder = 'sessions/wd_project_1/session_b1c2d3e4-0000-4000-8000-000000000001';
    const lines = readFileSync('test/fixtures/saved/kimi-tools.jsonl', 'utf8').trim().split('\n');
    const end = lines.findLastIndex((line) => line.includes('"turn.ended"'));
    write(`${folder}/agents/main/wire.jsonl`, lines.slice(0, end));
    assert.equal(await runs('kimi', 10), 'likely');
    assert.equal(await runs('kimi', 16), undefined);
    write(`${folder}/agents/main/wire.jsonl`, lines);
    assert.equal(await runs('kimi', 1), undefined);
  });

  it("of VS Code's chat runs until its request ends, but not for ever", async () => {
    const chat = join('workspaceStorage/abc/chatSessions', '5f0cf78e-0000-4000-8000-000000000001.jsonl');
    const request = (modelState: object): string =>
      JSON.stringify({
        kind: 0,
        v: {
          version: 3,
          creationDate: writtenAt - minute,
          initialLocation: 'panel',
          responderUsername: 'Copilot',
          sessionId: '5f0cf78e-0000-4000-8000-000000000001',
          requests: [
            { requestId: 'r', timestamp: writtenAt, message: { text: 'Wait for it' }, response: [], modelState },
          ],
        },
      });
    for (const value of [0, 4]) {
      write(chat, [request({ value })]);
      assert.equal(await runs('vscode', 10), 'likely');
      assert.equal(await runs('vscode', 16), undefined);
    }
    write(chat, [request({ value: 1, completedAt: writtenAt })]);
    assert.equal(await runs('vscode', 1), undefined);
  });
});
