import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { LogRecord } from '../../../src/text/record';
import { itWithEsbuild } from '../../support/platform';
import { recordOf, start, TestRuns } from '../../support/testRun';

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
      const run = runs.create(language, { level: 'info', spec: { command, args } });
      await start(run);
      const sessionId = await run.newSession();
      await run.prompt(sessionId, 'Go.');
      const stderr = await recordOf(run, ({ kind }) => kind === 'stderr');
      assert.deepEqual([stderr.level, stderr.message], ['warning', 'cache: nothing is cached']);
      const said = run.log.store.query({ kinds: ['log', 'notice'] });
      assert.deepEqual(said.map(brief), [
        ['log', 'info', undefined, 'The index is loaded'],
        ['log', 'warning', sessionId, 'The index is stale'],
        ['notice', 'warning', sessionId, 'Two files were left out'],
      ]);
      assert.deepEqual([said[1]?.logger, said[1]?.data], ['search', { ageSeconds: 86_400 }]);
      assert.ok(said.every(({ kind, time }) => kind === 'notice' || Math.abs((time ?? 0) - Date.now()) < 60_000));
      assert.ok(run.log.store.raw(said[0]!.seq)?.includes('"_agent-logs/log"'));
      assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }), []);
    });

    itRuns(`${language}: the level is obeyed, also when it changes`, async () => {
      const run = runs.create(language, { level: 'error', spec: { command, args } });
      await start(run);
      const sessionId = await run.newSession();
      await run.prompt(sessionId, 'Go.');
      assert.deepEqual(run.log.store.query({ kinds: ['log'] }), []);
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
        const said = answersOf(
          [command, ...args],
          [
            { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } },
            { id: 2, method: 'session/new', params: {} },
            { id: 3, method: 'session/prompt', params: { sessionId: 'session-1' } },
            { id: 4, method: 'logging/setLevel', params: { level: 'loud' } },
            { id: 5, method: 'session/prompt', params: { sessionId: 'session-1' } },
          ],
        );
        assert.deepEqual(
          said.flatMap(({ id }) => id ?? []),
          [1, 2, 3, 4, 5],
        );
        const levels = said.flatMap(({ method, params }) => (method === 'log' ? params?.level : []));
        assert.deepEqual(levels, ['info', 'warning', 'warning']); // an unknown or missing level is info
        assert.ok(!said.some(({ params }) => params?.update?.sessionUpdate === 'notice'));
      }
    });

    itRuns(`${language}: nothing is logged to who does not ask`, async () => {
      const run = runs.create(language, { level: 'off', spec: { command, args } });
      await start(run);
      await run.prompt(await run.newSession(), 'Go.');
      assert.deepEqual(run.log.store.query({ kinds: ['log'] }), []);
    });
  }
});

function brief({ kind, level, sessionId, message }: LogRecord): readonly unknown[] {
  return [kind, level, sessionId, message];
}

interface Said {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly update?: { readonly sessionUpdate?: string } };
}

/** Everything that an agent writes to stdout for these messages. */
function answersOf([command = '', ...args]: readonly string[], messages: readonly object[]): readonly Said[] {
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const output = execFileSync(command, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Said);
}

/** The name of a working Python 3; on Windows, `python3` may only open the Microsoft Store. */
function findPython(): string | undefined {
  return ['python3', 'python'].find((name) => {
    try {
      return /^Python 3\./.test(
        execFileSync(name, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
    } catch {
      return false;
    }
  });
}
