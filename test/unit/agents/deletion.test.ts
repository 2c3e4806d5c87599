import assert from 'node:assert/strict';
import type { SaverId } from '../../../src/agents/agents';
import { formOf, savers } from '../../../src/agents/agents';

describe('when an agent deletes its sessions', () => {
  const rows: readonly (readonly [agent: SaverId, settings: object, days: number | undefined])[] = [
    ['claude', {}, 30],
    ['claude', { cleanupPeriodDays: 365 }, 365],
    ['claude', { cleanupPeriodDays: 0 }, undefined],
    ['claude', { cleanupPeriodDays: 'never' }, undefined],
    ['gemini', {}, 30],
    ['gemini', { general: { sessionRetention: { enabled: false } } }, undefined],
    ['gemini', { general: { sessionRetention: { maxAge: '48h' } } }, 2],
    ['gemini', { general: { sessionRetention: { maxAge: '2w' } } }, 14],
    ['gemini', { general: { sessionRetention: { maxAge: '6m' } } }, 180],
    ['gemini', { general: { sessionRetention: { maxAge: '12h' } } }, undefined],
    ['gemini', { general: { sessionRetention: { maxAge: '3d', minRetention: '1w' } } }, undefined],
    ['gemini', { general: { sessionRetention: { maxAge: 'a month' } } }, undefined],
    ['kilo', {}, undefined],
    ['kilo', { retention: { enabled: true } }, 30],
    ['kilo', { retention: { enabled: true, maxAgeDays: 7 } }, 7],
  ];
  for (const [agent, settings, days] of rows) {
    it(`${agent}, with ${JSON.stringify(settings)}: ${days ?? 'never'}`, () => {
      assert.equal(formOf(agent).deletion.age?.days(settings as Record<string, unknown>), days);
    });
  }

  it('is said for each agent', () => {
    for (const { id, saved } of savers) assert.ok(saved.deletion.rule, id);
  });
});
