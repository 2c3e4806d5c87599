import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { useCli } from '../../support/cli';
import { makeSavedHome, savedHomeEnv } from '../../support/savedHome';

describe('agent-logs sessions', function () {
  this.timeout(30_000);
  const cli = useCli();
  let home: string;
  before(() => {
    home = join(cli.folder, 'home');
    makeSavedHome(home);
  });

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.run(args, '', savedHomeEnv(home));
    return { code, lines: stdout.toString().trimEnd().split('\n'), stderr };
  };

  it('prints a line for each', async () => {
    const { code, lines, stderr } = await run('sessions');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(lines.length, 13);
    assert.match(
      lines[0] ?? '',
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}claude {4}failed {7}\S{12} {2}What is it\? {2}\(\/home\/me\/project\)$/,
    );
  });

  it('prints JSON, of one agent and folder', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'codex', '--limit', '1');
    const [session] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(lines.length, 1);
    assert.equal(session?.['outcome'], 'failed');
    assert.equal(session['id'], '01a20285-9548-7473-a9f4-ba9391a0f1b8');
    assert.match(String(session['problem']), /^unexpected status 401/);
    assert.equal(session['usage'], undefined);
    const elsewhere = await run('sessions', '--folder', '/home/you');
    assert.deepEqual(elsewhere.lines, ['']);
  });

  it('prints those that fit a filter, and says if none does', async () => {
    const failed = await run('sessions', 'outcome:failed', '-agent:claude');
    assert.deepEqual([failed.code, failed.stderr], [0, '']);
    assert.deepEqual(
      failed.lines.map((line) => line.slice(18, 37).trim().replace(/ +/, ' ')),
      ['codex failed', 'gemini failed', 'qwen failed', 'copilot failed'],
    );
    assert.equal((await run('sessions', 'parser tests')).lines.length, 1);
    const none = await run('sessions', 'outcome:failed', 'model:nothing');
    assert.deepEqual(none.lines, ['']);
    assert.match(none.stderr, /no saved session fits outcome:failed model:nothing/);
  });

  it('adds up what the turns of a session used', async () => {
    const { lines } = await run('sessions', '--json', '--agent', 'claude');
    const usages = lines.map((line) => (JSON.parse(line) as { readonly usage?: unknown }).usage);
    assert.deepEqual(usages, [
      { inputTokens: 510, outputTokens: 20, cachedTokens: 500, contextTokens: 530, basis: 'turn' },
      // The second one ends with a compaction.
      { inputTokens: 2550, outputTokens: 100, cachedTokens: 2500, contextTokens: 300, basis: 'turn' },
    ]);
  });

  it('says that there are none', async () => {
    mkdirSync(join(cli.folder, 'empty'), { recursive: true });
    const { code, stderr } = await cli.run(['sessions'], '', { HOME: join(cli.folder, 'empty') });
    assert.deepEqual([code, stderr], [0, 'agent-logs: no saved sessions found.\n']);
  });

  it('are printed by the end of an id, with their subagents', async () => {
    const { code, lines } = await run('tail', '--json', 'f2f1b7a11');
    assert.equal(code, 0);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.ok(records.some(({ message }) => message === 'One, in a.js.'));
    const failure = records.find(({ kind }) => kind === 'diagnosis');
    assert.deepEqual([failure?.['level'], failure?.['logger']], ['notice', 'tool-failed']);
    assert.equal(records[0]?.['time'], '2026-11-20T10:00:01.000Z');
  });

  it('may be files of other places, and documents', async () => {
    const { lines } = await run('tail', 'test/fixtures/saved/opencode-export.json');
    assert.match(lines[0] ?? '', /session started: OpenCode 1\.18\.33/);
    const none = await run('tail', 'nosuchsession');
    assert.deepEqual([none.code, none.stderr.includes('nosuchsession does not exist')], [1, true]);
  });
});
