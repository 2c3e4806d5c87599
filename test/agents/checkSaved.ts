import type { SaverId } from '../../src/agents/agents';
import { FileRun } from '../../src/past/files/fileRun';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { SqliteProcess } from '../../src/past/saved/sqlite';
import { savedHomeOptions } from '../support/savedHome';
import type { Trial } from './trial';
import { unknownKinds } from './unknownKinds';

/** Checks what the session that the agent saved says. @param expected a folder unless it doesn't save its own */
export async function checkSaved(
  { sandbox, checks }: Trial,
  agent: SaverId,
  expected: { readonly title: string; readonly outcome: string; readonly folder?: undefined },
): Promise<void> {
  const saved = new SavedSessions({ ...savedHomeOptions(sandbox.home), databases: new SqliteProcess() });
  const { sessions } = await saved.list(agent);
  const [session] = sessions;
  checks.equal('the number of saved sessions', sessions.length, 1);
  checks.equal('its title', session?.title, expected.title);
  checks.equal('its outcome', session?.outcome, expected.outcome);
  checks.equal('its folder', session?.folder, 'folder' in expected ? undefined : sandbox.project);
  if (!session) return;
  const run = new FileRun(saved.open(session), { level: 'debug', maxMemory: 1e7, redaction: undefined });
  try {
    await run.read();
    const records = run.log.store.query();
    checks.that('it says what happened', records.length > 2, String(records.length));
    checks.equal('its kinds that are unknown', unknownKinds(records), []);
  } finally {
    await run.dispose();
  }
}
