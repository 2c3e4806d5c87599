import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { rowsOf } from '../../support/columns';
import { itWithEsbuild } from '../../support/platform';
import { recordOf, TestRuns } from '../../support/testRun';

const python = findPython();

/** How each sample agent is started. */
const samples: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  typescript: [process.execPath, '--import', 'tsx', resolve('samples/typescript/agent.mts')],
  ...(python !== undefined && { python: [python, '-B', resolve('samples/python/agent.py')] }),
};

describe('the sample agents', () => {
  const runs = TestRuns.ofSuite();

  it('are both run in continuous integration, which has Python', () => {
    if (python === undefined) console.log('      There is no Python here: samples/python is NOT TESTED.');
    const mustHavePython = process.platform === 'linux' && process.env['CI'] !== undefined;
    assert.ok(python !== undefined || !mustHavePython, 'Python 3 is missing');
  });

  for (const [language, [command, ...args]] of Object.entries(samples)) {
    const itRuns = language === 'typescript' ? itWithEsbuild : it;
    itRuns(`${language}: each way of logging becomes the record it should`, async () => {
      const run = await runs.start(language, { level: 'info', spec: { command, args } });
      const sessionId = await run.newSession();
      await run.prompt(sessionId, 'Go.');
      const stderr = await recordOf(run, ({ kind }) => kind === 'stderr');
      assert.deepEqual([stderr.level, stderr.message], ['warning', 'cache: nothing is cached']);
      const said = run.log.store.query({ kinds: ['log', 'notice'] });
      assert.deepEqual(rowsOf(said, 'kind', 'level', 'sessionId', 'message'), [
        'log info - The index is loaded',
        `log warning ${sessionId} The index is stale`,
        `notice warning ${sessionId} Two files were left out`,
      ]);
      assert.deepEqual([said[1]?.logger, said[1]?.data], ['search', { ageSeconds: 86_400 }]);
      assert.ok(said.every(({ kind, time }) => kind === 'notice' || Math.abs((time ?? 0) - Date.now()) < 60_000));
      assert.ok(run.log.store.raw(said[0]!.seq)?.includes('"_agent-logs/log"'));
      assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }), []);
    });

    itRuns(`${language}: the level is obeyed, also when it changes`, async () => {
      const quiet = await runs.start(language, { level: 'off', spec: { command, args } });
      const run = await runs.start(language, { level: 'error', spec: { command, args } });
      const sessionId = await run.newSession();
      await Promise.all([run.prompt(sessionId, 'Go.'), quiet.prompt(await quiet.newSession(), 'Go.')]);
      for (const { log } of [run, quiet]) assert.deepEqual(log.store.query({ kinds: ['log'] }), []);
      assert.equal(await run.setLevel('debug'), 'applied');
      await run.prompt(sessionId, 'Go.');
      const levels = run.log.store.query({ kinds: ['log'] }).map(({ level }) => level);
      assert.deepEqual(levels, ['debug', 'warning']);
    });

    itRuns(`${language}: whatever a client may declare by the schema is understood`, () => {
      const odd = [
        { logging: { level: 'warn' } },
        { logging: { level: null }, _meta: null, session: null },
        { logging: {}, _meta: { 'agent-logs': null }, session: { notices: null } },
        { logging: true, session: { notices: false } },
      ];
      for (const clientCapabilities of odd) {
        const prompt = { method: 'session/prompt', params: { sessionId: 'session-1' } };
        const messages = [
          { method: 'initialize', params: { protocolVersion: 1, clientCapabilities } },
          { method: 'session/new', params: {} },
          prompt,
          { method: 'logging/setLevel', params: { level: 'loud' } },
          prompt,
        ];
        const said = answersOf([command, ...args], messages);
        const answered = said.flatMap(({ id }) => id ?? []);
        assert.deepEqual(answered, [1, 2, 3, 4, 5]);
        const levels = said.flatMap(({ method, params }) => (method === 'log' ? params?.level : []));
        assert.deepEqual(levels, ['info', 'warning', 'warning']); // an unknown or missing level is info
        assert.ok(!said.some(({ params }) => params?.update?.sessionUpdate === 'notice'));
      }
    });
  }
});

interface Said {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly update?: { readonly sessionUpdate?: string } };
}

/** Everything that an agent writes to stdout for these messages. */
function answersOf([command = '', ...args]: readonly string[], messages: readonly object[]): readonly Said[] {
  const lines = messages.map((message, index) => JSON.stringify({ jsonrpc: '2.0', id: index + 1, ...message }));
  const input = lines.map((line) => `${line}\n`).join('');
  const output = execFileSync(command, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  const printed = output.trim().split('\n');
  return printed.map((line) => JSON.parse(line) as Said);
}

/** The name of a working Python 3; on Windows, `python3` may only open the Microsoft Store. */
function findPython(): string | undefined {
  return ['python3', 'python'].find((name) => {
    try {
      const version = execFileSync(name, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return version.startsWith('Python 3.');
    } catch {
      return false;
    }
  });
}
