import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { AgentProcess } from '../../../../src/live/process/agentProcess';
import { ProcessReaper } from '../../../../src/live/process/processReaper';
import type { ProcessEvent } from '../../../../src/wire/wireEvent';
import { resultOf, useCli } from '../../../support/cli';
import { isWindows } from '../../../support/platform';
import { isAlive } from '../../../support/testRun';

const script = join('test', 'fakeAgents', 'behindWrapper.mjs');
/** How agents behave, with what they are like. */
const agents = [
  ['none', 'ends', 'Claude Code, pi'],
  ['none', 'deaf', 'Gemini CLI without a terminal'],
  ['silent', 'ends', 'npx, Qwen Code, Copilot CLI'],
  ['silent', 'deaf', 'npx with Gemini CLI'],
  ['forwards', 'ends', 'Codex'],
  ['forwards', 'deaf', 'a wrapper of a deaf agent'],
] as const;

/** Reads the PIDs that the agent prints: its own, that of the agent behind a wrapper, and that of its command. */
async function pidsFrom(stdout: Readable, count: number): Promise<readonly number[]> {
  let text = '';
  while (text.trim().split('\n').length < count || !text.endsWith('\n')) {
    const [chunk] = (await once(stdout, 'data')) as [Buffer];
    text += chunk.toString();
  }
  return text.trim().split('\n').map(Number);
}

/** Nothing announces the end of a process that isn't our child. */
async function aliveAfter(ms: number, pids: readonly number[]): Promise<readonly number[]> {
  for (const until = performance.now() + ms; performance.now() < until && pids.some(isAlive);) await delay(50);
  return pids.filter(isAlive);
}

const describeAlive = isWindows ? describe.skip : describe;

describeAlive('an agent behind a wrapper (Windows ends the whole tree)', () => {
  const cli = useCli();

  for (const [wrapper, agent, like] of agents) {
    const count = wrapper === 'none' ? 2 : 3;

    it(`is stopped with its command: ${like}`, async () => {
      const reaper = new ProcessReaper();
      const spec = { command: process.execPath, args: [script, wrapper, agent], cwd: process.cwd(), env: {} };
      const started = await AgentProcess.start(spec, reaper);
      const events: ProcessEvent[] = [];
      started.onEvent((event) => events.push(event));
      const pids = await pidsFrom(started.stdout, count);
      await started.stop({ close: 100, terminate: 1000 });
      assert.deepEqual(await aliveAfter(0, pids), []);
      assert.ok(!events.some((event) => event.ev === 'left-behind' && event.remaining !== undefined));
      reaper.dispose();
    });

    it(`ends with its command if the tap gets SIGTERM: ${like}`, async () => {
      const folder = cli.newFolder();
      const tap = cli.start(cli.tapTo(folder, process.execPath, script, wrapper, agent));
      const result = resultOf(tap);
      const pids = await pidsFrom(tap.stdout, count);
      tap.kill('SIGTERM');
      const { stderr } = await result;
      assert.equal(stderr, '');
      assert.deepEqual(await aliveAfter(0, pids), []);
      const [journal] = await cli.journals(folder);
      const left = journal?.events.filter((event) => event.dir === 'ev' && event.ev === 'left-behind') ?? [];
      assert.equal(left.length > 0, wrapper === 'silent' || agent === 'deaf');
    });

    it(`ends with its command if the tap is killed: ${like}`, async () => {
      const tap = cli.start(cli.tapTo(cli.newFolder(), process.execPath, script, wrapper, agent));
      const pids = await pidsFrom(tap.stdout, count);
      tap.kill('SIGKILL');
      assert.deepEqual(await aliveAfter(15_000, pids), []);
    });
  }
});
