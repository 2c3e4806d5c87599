import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SaverId } from '../../src/agents/agents';
import { FileRun } from '../../src/past/files/fileRun';
import type { SavedSession } from '../../src/past/saved/savedSession';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { stillAlive } from '../../src/machine/processAlive';
import { runningPrograms } from '../../src/machine/programs';
import { savedHomeOptions } from '../support/savedHome';
import { messagesOf, untilSays } from '../support/savedRun';
import type { Trial } from './trial';

/** The prompt of the scene whose tool runs while there is a file `busy`. */
export const longPrompt = 'Take your time. [[long]]';
const answer = 'It took a while.';

/** Follows the session that a command line saves, from its tool call on, until it ends. */
export async function checkGrowing(trial: Trial, agent: SaverId): Promise<void> {
  const { sandbox, checks } = trial;
  const running = { isAlive: stillAlive(), programs: runningPrograms() };
  const options = { ...savedHomeOptions(sandbox.home), ...running, now: Date.now };
  const list = async (): Promise<readonly SavedSession[]> => (await new SavedSessions(options).list(agent)).sessions;
  const busy = join(sandbox.project, 'busy');
  writeFileSync(busy, '');
  await trial.start();
  const session = await trial.step('is listed', async () => {
    for (;;) {
      const [found] = await list();
      if (found?.title !== undefined) return found;
      await delay(100);
    }
  });
  const run = new FileRun(new SavedSessions(options).open(session), {
    level: 'debug',
    maxMemory: 1e7,
    redaction: undefined,
  });
  try {
    await run.read();
    await trial.step('shows the tool call', () => untilSays(run, '-e busy'));
    const before = messagesOf(run);
    checks.equal(
      'whether the tool still runs',
      before.some((message) => /-e busy.*completed/.test(message)),
      false,
    );
    checks.equal('whether it is known to run', (await list())[0]?.running === undefined, false);
    rmSync(busy);
    await trial.step('shows the answer', () => untilSays(run, answer));
    checks.equal('whether it grew', messagesOf(run).length > before.length, true);
  } finally {
    await run.dispose();
  }
  trial.checks.equal('the exit code', (await trial.ended()).exitCode, 0);
  const [ended] = await list();
  checks.equal('how it ended', [ended?.outcome, ended?.running], ['ok', undefined]);
}
