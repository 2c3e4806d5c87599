import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AlertPace } from '../../../src/alerts/alertPace';

describe('the pace of an alert', () => {
  let reports: (readonly [string, number])[];
  let pace: AlertPace<string>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    reports = [];
    pace = new AlertPace((match, others) => reports.push([match, others]));
  });

  afterEach(() => {
    pace.dispose();
    mock.timers.reset();
  });

  it('reports the first match at once, and the others of the minute when it is over', () => {
    pace.add(1, 'a', 'a');
    pace.add(1, 'b', 'b');
    pace.add(11, 'c', 'd');
    assert.deepEqual(reports, [['a', 0]]);
    mock.timers.tick(60_000);
    assert.deepEqual(reports.slice(1), [['d', 11]]);
    pace.add(1, 'e', 'e');
    assert.equal(reports.length, 2);
    mock.timers.tick(60_000);
    assert.deepEqual(reports.slice(2), [['e', 0]]);
  });

  it('reports the first of many that come at once', () => {
    pace.add(1000, 'first', 'newest');
    assert.deepEqual(reports, [['first', 0]]);
    mock.timers.tick(60_000);
    assert.deepEqual(reports.slice(1), [['newest', 998]]);
  });

  it('reports a match at once after a minute without any', () => {
    pace.add(1, 'a', 'a');
    mock.timers.tick(60_000);
    assert.equal(reports.length, 1);
    pace.add(1, 'b', 'b');
    assert.deepEqual(reports.slice(1), [['b', 0]]);
  });

  it('reports nothing once it is disposed', () => {
    pace.add(2, 'a', 'b');
    pace.dispose();
    mock.timers.tick(60_000);
    assert.equal(reports.length, 1);
  });
});
