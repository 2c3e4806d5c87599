import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/text/translator';
import { alertsIn } from '../../../src/alerts/alertSettings';
import { column } from '../../support/columns';

/** What is wrong with an entry, and where. */
function mistakes(entry: unknown): readonly (readonly [string, string])[] {
  return alertsIn([entry]).mistakes.map(({ path, message }) => [path.join('.'), inEnglish(message)]);
}

/** The text that a mistake in a query is about. */
function marked(query: string): readonly string[] {
  return alertsIn([{ when: query }]).mistakes.map(({ range }) => query.slice(range?.start, range?.end));
}

describe('the setting of alerts', () => {
  it('has queries and limits', () => {
    const { alerts, mistakes: wrong } = alertsIn([
      { when: 'level:error "rolled back"', message: ' Deployment\nfailed ', notify: true },
      { when: { costPerTurn: 0.5 } },
      { when: { context: 100 }, message: '' },
    ]);
    assert.deepEqual(wrong, []);
    const found = alerts.map(({ when, message, notifies }) => {
      return [when.type === 'query' ? when.text : when.measure, message ?? '-', notifies].join(', ');
    });
    const query = 'level:error "rolled back", Deployment failed, true';
    assert.deepEqual(found, [query, 'costPerTurn, -, false', 'context, -, false']);
  });

  it('may be missing, but must be a list', () => {
    for (const none of [undefined, null, []]) assert.deepEqual(alertsIn(none), { alerts: [], mistakes: [] });
    for (const wrong of ['level:error', {}, 1]) assert.equal(alertsIn(wrong).mistakes.length, 1);
  });

  it('reports invalid entries, which don’t affect others', () => {
    const { alerts, mistakes: wrong } = alertsIn([{ when: '/(/' }, 7, { when: 'good' }, { notify: true }]);
    assert.equal(alerts.length, 1);
    assert.deepEqual(column(wrong, 'path'), [[0, 'when'], [1], [3]]);
  });

  it('reports the field that is wrong', () => {
    const [unknown, ...others] = mistakes({ when: { costPerturn: 1 } });
    const limits = '`costPerTurn`, `costPerDay`, `context`, `turnMinutes`, `limit`';
    const message = `agentLogs.alerts[0]: Unknown limit \`costPerturn\`. Use one of ${limits}.`;
    assert.deepEqual([unknown, others], [['0.when.costPerturn', message], []]);
    const pathsOf = (entry: unknown): readonly string[] => mistakes(entry).map(([path]) => path);
    assert.deepEqual(pathsOf({ when: 'x', notify: 'yes' }), ['0.notify']);
    assert.deepEqual(pathsOf({ when: 'x', message: 1 }), ['0.message']);
    assert.deepEqual(pathsOf({ when: 'x', notfy: true }), ['0.notfy']);
    const wrong = [5, {}, { context: 90, turnMinutes: 5 }, '  '];
    for (const when of wrong) assert.deepEqual(pathsOf({ when }), ['0.when']);
    for (const value of [0, -1, '5', null, 101]) {
      assert.deepEqual(pathsOf({ when: { context: value } }), ['0.when.context']);
      assert.deepEqual(pathsOf({ when: { limit: value } }), ['0.when.limit']);
    }
  });

  it('reports the part of a query that is wrong, as the explorer does', () => {
    assert.deepEqual(marked('deploy lvl:error'), ['lvl:error']);
    assert.deepEqual(marked('level:bad deploy'), ['level:bad']);
    assert.deepEqual(marked('x /[/'), []); // Not an expression yet.
    assert.deepEqual(marked('x /(/'), ['/(/']);
    assert.deepEqual(marked('level:'), ['level:']);
  });

  it('keeps an alert whose query probably means something else, but none that can’t find anything', () => {
    const usable = (when: string): boolean => alertsIn([{ when }]).alerts.length === 1;
    assert.ok(usable('lvl:error'));
    assert.ok(usable('level: error'));
    for (const query of ['/(/', `/${'x'.repeat(300)}/`, 'level:', '']) assert.ok(!usable(query), query);
  });
});
