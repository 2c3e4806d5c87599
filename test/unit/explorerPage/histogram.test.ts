import assert from 'node:assert/strict';
import { bucketAt, bucketText } from '../../../src/explorerPage/records/buckets';
import { scaleLabels } from '../../../src/explorerPage/records/scaleLabels';
import { textsIn } from '../../../src/explorerPage/texts';
import { axisOf, idleBetween, longIdle } from '../../../src/query/timeAxis';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { line } from '../../support/wireRows';

const hour = 3_600_000;

describe('stretches without records', () => {
  it('are found between overlapping stretches with records, whatever their order', () => {
    const busy = [[100, 110] as const, [0, 10] as const, [5, 50] as const].map(([from, to]) => ({ from, to }));
    assert.deepEqual(idleBetween(busy, 20), [{ from: 50, to: 100 }]);
    assert.deepEqual(idleBetween(busy, 60), []);
  });

  it('are drawn short only if that saves room', () => {
    const night = { from: 10, to: 1000 };
    const pause = { from: 1010, to: 1020 };
    assert.deepEqual(longIdle([night, pause], { from: 0, to: 1100 }), [night, pause]);
    const even = Array.from({ length: 100 }, (_, n) => ({ from: 10 * n, to: 10 * n + 10 }));
    assert.deepEqual(longIdle(even, { from: 0, to: 1000 }), []);
  });
});

describe('the histogram', () => {
  const { number, t } = textsIn('en', {});
  const start = new Date(2026, 10, 22, 12).getTime();
  const axis = axisOf({ from: start, to: start + 10 * hour }, [{ from: start + 1000, to: start + 10 * hour - 1000 }]);
  const counts = new Uint32Array(80);
  counts.set([0, 3, 0, 0, 1], 0);

  it('says when the records of a bar came, and how many there are of each level', () => {
    const text = bucketText({ number, t }, bucketAt({ axis, counts }, 0.01));
    assert.deepEqual(text, ['12:00:00.000 – 12:00:00.204', 'error: 1', 'info: 3']);
  });

  it('says how long there were none', () => {
    const wide = axisOf({ from: 0, to: 1 }, []);
    assert.deepEqual(bucketText({ number, t }, bucketAt({ axis: wide, counts }, 0.95)).slice(1), ['No records']);
    const text = bucketText({ number, t }, bucketAt({ axis, counts }, 0.5));
    assert.deepEqual(text, ['12:00:01.000 – 21:59:59.000', 'No records for 9 h']);
  });

  it('has times below it, with the day where it changes', () => {
    const short = axisOf({ from: start, to: start + 8000 }, []);
    assert.equal(scaleLabels(short, 'en')[1], '12:00:02.000');
    const days = axisOf({ from: start, to: start + 24 * hour }, []);
    assert.deepEqual(scaleLabels(days, 'en'), ['Nov 22 12:00', '18:00', 'Nov 23 00:00', '06:00', '12:00']);
    assert.deepEqual(scaleLabels(axisOf({ from: start, to: start + 4 * hour }, []), 'de')[4], '16:00');
  });
});

describeWithEsbuild('explorer: the histogram', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  const note = (ms: number): ReturnType<typeof line> => line(ms, 'a2c', { method: `_odd.example/n${ms}`, params: {} });

  const ends = () => page.all('.histogram [role=slider]');

  it('draws a long pause short, and leads to the records at a time by keys', async () => {
    page = await ExplorerWindow.open(new WrittenRun([note(0), note(30_000), note(8 * hour), note(8 * hour + 30_000)]));
    await page.until(() => ends().length === 2);
    ends()[1]?.focus();
    for (let pages = 0; pages < 5; pages++) page.press('PageDown');
    await page.until(() => /since:.* until:/.test(page.filter.value));
    await page.until(() => page.rows.length > 0 && !page.rows.some((row) => row.includes(`n${8 * hour + 30_000}`)));
    // Half of the width, of which the pause takes two percent.
    await page.until(() => page.text('[role=tooltip]') !== '');
    ends()[0]?.focus();
    page.press('Enter');
    await page.until(() => page.activeRow.includes('n0'));
    page.press('Escape');
    await page.until(() => page.filter.value === '');
  });

  it('has its brush where a filter relative to the end of a past run begins', async () => {
    const events = [note(0), note(60_000), note(120_000)];
    const at = events[2]?.t ?? 0;
    const state = { type: 'ended', at, termination: { reason: 'completed', terminatedBy: 'agent' } } as const;
    page = await ExplorerWindow.open(new WrittenRun(events, { state }));
    await page.type('since:30s');
    const values = () => ends().map((one) => one.getAttribute('aria-valuenow'));
    await page.until(() => values().join() === `${at - 30_000},${at}`);
  });
});
