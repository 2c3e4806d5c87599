import assert from 'node:assert/strict';
import { savedDetails } from '../../../../../src/past/saved/list/savedDetails';
import type { KnownQuota } from '../../../../../src/work/usage/quotas';
import { newestQuotas } from '../../../../../src/work/usage/quotas';

const at = Date.parse('2026-11-27T10:00:00Z');
const timestamp = '2026-11-27T10:00:00Z';

/** The limits that the lines of a session report. */
function limitsIn(...lines: readonly object[]): readonly KnownQuota[] | undefined {
  return savedDetails(lines.map((line) => JSON.stringify(line))).limits;
}

describe("limits of the user's account", () => {
  it('of Codex are in each count of tokens, with the newest figures last', () => {
    const meta = { timestamp, type: 'session_meta', payload: { id: 's1', cwd: '/' } };
    const count = (rate_limits: unknown): object => {
      return { timestamp, type: 'event_msg', payload: { type: 'token_count', info: null, rate_limits } };
    };
    const primary = { used_percent: 61.5, window_minutes: 300, resets_at: at / 1000 + 60 };
    const secondary = { used_percent: 12, window_minutes: 10_080, resets_in_seconds: 3600 };
    const older = count({ primary: { ...primary, used_percent: 3 } });
    assert.deepEqual(limitsIn(meta, older, count({ primary, secondary })), [
      { name: '5 h', usedPercent: 61.5, resetsAt: at + 60_000, at },
      { name: '7 d', usedPercent: 12, resetsAt: at + 3_600_000, at },
    ]);
    assert.equal(limitsIn(meta, count({ primary: null, secondary: { used_percent: 'many' } })), undefined);
  });

  it('of Claude Code are in the error of a refused request', () => {
    const error = { status: 429, rateLimits: { rateLimitType: 'five_hour', resetsAt: at / 1000 + 60 } };
    const common = { sessionId: 's1', timestamp, cwd: '/', parentUuid: null };
    const refused = { ...common, uuid: 'u1', type: 'system', subtype: 'api_error', error };
    const prompt = { ...common, uuid: 'u0', type: 'user', message: { role: 'user', content: 'Sort it' } };
    const known = [{ name: 'five hour', usedPercent: 100, resetsAt: at + 60_000, at }];
    assert.deepEqual(limitsIn(prompt, refused), known);
    assert.equal(limitsIn(prompt, { ...refused, error: { status: 500, rateLimits: null } }), undefined);
  });

  it('of Copilot are those of its plan', () => {
    const event = (type: string, id: string, data: object): object => ({ type, data, id, timestamp, parentId: null });
    const start = event('session.start', 'e1', { sessionId: 's1' });
    const resetDate = '2026-12-01T00:00:00Z';
    const quotas = {
      premium_interactions: { entitlementRequests: 300, usedRequests: 240, remainingPercentage: 0.2, resetDate },
      chat: { isUnlimitedEntitlement: true, entitlementRequests: 0, usedRequests: 9, remainingPercentage: 1 },
      completions: { remainingPercentage: 25 },
    };
    assert.deepEqual(limitsIn(start, event('model.model_call_success', 'e2', { quotaSnapshots: quotas })), [
      { name: 'premium interactions', usedPercent: 80, resetsAt: Date.parse(resetDate), at },
      { name: 'completions', usedPercent: 75, at },
    ]);
  });

  it('are the newest of all sessions', () => {
    const one = { name: 'a', usedPercent: 10, at: 5 };
    const other = { name: 'b', usedPercent: 10, at: 1 };
    assert.deepEqual(newestQuotas([one, other, { ...one, usedPercent: 90, at: 4 }]), [one, other]);
  });
});
