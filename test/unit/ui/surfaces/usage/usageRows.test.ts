import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { CountedSession } from '../../../../../src/past/saved/list/savedUsage';
import { countedSession } from '../../../../../src/past/saved/list/savedUsage';
import { redactorFor } from '../../../../../src/redact/redactorFor';
import { sessionChoices, usageChoices } from '../../../../../src/ui/surfaces/usage/usageRows';
import type { SumKey } from '../../../../../src/past/saved/list/usageSums';
import type { PriceList } from '../../../../../src/work/usage/prices';
import { redactionWith } from '../../../../support/redaction';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';

describe('the rows of tokens and cost', () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-logs-'));

  before(() => makeSavedHome(home));
  after(() => rmSync(home, { recursive: true, force: true }));

  async function countedOf(agents: readonly string[], prices: PriceList): Promise<readonly CountedSession[]> {
    const sessions = new SavedSessions(savedHomeOptions(home));
    const found = (await sessions.newest({})).filter(({ agent }) => agents.includes(agent));
    const read = found.map((session) => {
      const of = { agent: session.agent, name: sessions.nameOf(session.agent) };
      return countedSession({ session, of }, sessions.open(session), { since: 0, prices });
    });
    return Promise.all(read);
  }

  /** `label: description`, and headings as they are. */
  const textsOf = (rows: ReturnType<typeof usageChoices>): readonly string[] =>
    rows.map((row) => ('heading' in row ? `- ${row.heading}` : `${row.label}: ${row.description ?? ''}`));

  it('begin with all, then have the sums by agent, model and folder, and name models without a price', async () => {
    const counted = await countedOf(['claude', 'pi'], {});
    const pi = '$0.0078 · 7.7k in (23 % cached), 360 out · 1 session';
    const claude = 'cost unknown · 3.1k in (98 % cached), 120 out · 2 sessions';
    assert.deepEqual(textsOf(usageChoices(counted, undefined)), [
      'All agents: at least $0.0078 · 10.7k in (44 % cached), 480 out · 3 sessions',
      '- By Agent',
      `pi: ${pi}`,
      `Claude Code: ${claude}`,
      '- Unknown Cost',
      'Set Prices of Models…: no price: claude-sonnet-4-5',
      '- By Model',
      `mock-model: ${pi}`,
      `claude-sonnet-4-5: ${claude}`,
      '- By Folder',
      `/home/dev/project: ${pi}`,
      `/home/me/project: ${claude}`,
    ]);
  });

  const prices = { 'claude-*': { input: 1000, output: 10_000, cachedRead: 100 } };

  it('have the cost by the user’s prices beside what agents report', async () => {
    const texts = textsOf(usageChoices(await countedOf(['claude', 'pi'], prices), undefined));
    assert.deepEqual(texts.slice(0, 4), [
      'All agents: $0.0078 + $1.56 by your prices · 10.7k in (44 % cached), 480 out · 3 sessions',
      '- By Agent',
      'Claude Code: $1.56 by your prices · 3.1k in (98 % cached), 120 out · 2 sessions',
      'pi: $0.0078 · 7.7k in (23 % cached), 360 out · 1 session',
    ]);
    assert.ok(!texts.includes('- Unknown Cost'));
  });

  it('lead to the sessions, the most expensive first', async () => {
    const rowsOf = async (agents: readonly string[], by?: SumKey): Promise<readonly string[]> => {
      const rows = sessionChoices(await countedOf(agents, prices), Date.UTC(2027, 0, 1), by);
      return rows.map(({ label, description = '' }) => `${label}: ${description.replace(/ · [^·]+ ago/, '')}`);
    };
    assert.deepEqual(await rowsOf(['claude', 'pi']), [
      'Parser tests: $1.30 by your prices · 2.5k in (98 % cached), 100 out · Claude Code · /home/me/project',
      'What is it?: $0.26 by your prices · 510 in (98 % cached), 20 out · Claude Code · /home/me/project',
      'Small parser: $0.0078 · 7.7k in (23 % cached), 360 out · pi · /home/dev/project',
    ]);
    // The title of the picker says the rest.
    const parser = 'Parser tests: $1.30 by your prices · 2.5k in (98 % cached), 100 out';
    assert.equal((await rowsOf(['claude'], 'agent'))[0], `${parser} · /home/me/project`);
    assert.equal((await rowsOf(['claude'], 'folder'))[0], `${parser} · Claude Code`);
  });

  it('are redacted', async () => {
    const redactor = redactorFor(redactionWith(/mock/g));
    const texts = textsOf(usageChoices(await countedOf(['codex', 'kimi'], {}), redactor));
    assert.ok(texts.some((text) => text.includes('[redacted]')));
    assert.doesNotMatch(texts.join('\n'), /mock/);
  });
});
