import type { SaverId } from '../../src/agents/agents';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { savedHomeOptions } from '../support/savedHome';
import type { Trial } from './trial';

/** Checks what the session that the agent saved says. */
export async function checkSaved(
  { sandbox, checks }: Trial,
  agent: SaverId,
  expected: { readonly title: string; readonly outcome: string },
): Promise<void> {
  const { sessions } = await new SavedSessions(savedHomeOptions(sandbox.home)).list(agent);
  const [session] = sessions;
  checks.equal('the number of saved sessions', sessions.length, 1);
  checks.equal('its title', session?.title, expected.title);
  checks.equal('its outcome', session?.outcome, expected.outcome);
  checks.equal('its folder', session?.folder, sandbox.project);
}
