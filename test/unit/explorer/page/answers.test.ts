import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/text/humanError';
import { english } from '../../../../src/text/translator';
import type { RegexRunner } from '../../../../src/store/regexRunner';
import type { RunLog } from '../../../../src/runLog/runLog';
import type { RunView } from '../../../../src/runLog/runView';
import { Answers } from '../../../../src/explorer/page/answers';
import type { LogResult } from '../../../../src/explorer/page/messages';
import { draftOf, emptyLog, resultOf } from '../../../support/queriedLog';
import { t } from '../../../../src/text/translator';
import { printQuery } from '../../../support/printQuery';

/** A page that notes the results that it is sent. */
class Page {
  readonly results: LogResult[] = [];
  readonly answers: Answers;
  private waiting: (() => void) | undefined;

  constructor(log: RunLog, regex?: RegexRunner, state: RunView['state'] = { type: 'following', lastAt: 0, size: 0 }) {
    const run = { log, state } as Partial<RunView> as RunView;
    const makeResult: ConstructorParameters<typeof Answers>[1]['makeResult'] = (query) =>
      resultOf(log, printQuery(query), regex);
    const onResult = (result: LogResult): void => {
      this.results.push(result);
      this.waiting?.();
    };
    this.answers = new Answers(run, { l10n: english, onResult, makeResult, export: () => Promise.resolve() });
  }

  /** The first result, from now on or before, that fits. */
  async resultOf(fits: (result: LogResult) => boolean): Promise<LogResult> {
    for (;;) {
      const found = this.results.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
  }
}

function logOf(count: number): RunLog {
  const log = emptyLog();
  for (let n = 0; n < count; n++) log.record(draftOf(n));
  log.flush();
  return log;
}

describe('answers to the page of the explorer', () => {
  let page: Page;
  afterEach(() => page.answers.dispose());

  it('sends the newest rows with the result', async () => {
    page = new Page(logOf(1000));
    page.answers.query({ gen: 1, q: 'level:warning' });
    const { total, newest } = await page.resultOf(({ done }) => done);
    assert.deepEqual([total, newest?.from, newest?.rows.length, newest?.rows.at(-1)?.seq], [625, 500, 125, 1000]);
  });

  it('counts the matches once they are all found', async () => {
    page = new Page(logOf(1000));
    page.answers.query({ gen: 1, q: 'level:warning' });
    assert.deepEqual(await page.answers.levels(), new Array(8).fill(125)); // of all levels, whatever the filter asks for
    assert.equal(page.results.at(-1)?.done, true);
    const { counts } = (await page.answers.histogram({ buckets: 10 })) ?? assert.fail();
    const all = new Uint32Array(counts).reduce((sum, count) => sum + count);
    assert.equal(all, 625);
  });

  it('numbers positions, so that rows of an earlier state are recognised', async () => {
    const log = logOf(300);
    page = new Page(log);
    page.answers.query({ gen: 1, q: '' });
    const first = await page.resultOf(({ done }) => done);
    assert.equal((await page.answers.rows({ from: 0, count: 50 }))?.epoch, first.epoch);
    log.record(draftOf(300));
    log.flush();
    const grown = await page.resultOf(({ total }) => total === 301);
    assert.deepEqual([grown.epoch, grown.newest], [first.epoch, undefined]);
    log.clear();
    log.flush();
    const cleared = await page.resultOf(({ total }) => total === 0);
    assert.notEqual(cleared.epoch, first.epoch);
    page.answers.query({ gen: 2, q: 'needle' });
    assert.notEqual((await page.answers.rows({ from: 0, count: 50 }))?.epoch, cleared.epoch);
  });

  it('locates a record of a journal only once it is read', async () => {
    const log = logOf(10);
    page = new Page(log, undefined, { type: 'reading', read: 1, size: 2 });
    page.answers.query({ gen: 1, q: '' });
    await page.resultOf(({ done }) => done);
    assert.equal(page.answers.locate({ seq: 11 }), undefined);
    log.record(draftOf(10));
    log.flush();
    await page.resultOf(({ total }) => total === 11);
    assert.equal(page.answers.locate({ seq: 11 })?.index, 10);
  });

  it('sends no result of a filter that was replaced', async () => {
    page = new Page(logOf(3000));
    const { answers } = page;
    answers.query({ gen: 1, q: 'needle' });
    void answers.levels();
    void answers.next({ seq: 0, dir: 1, what: 'failure' });
    answers.query({ gen: 2, q: 'module' });
    assert.ok(await answers.levels());
    assert.deepEqual([...new Set(page.results.map(({ gen }) => gen))], [2]);
  });

  it('keeps the rows of the last filter if an expression is too slow', async () => {
    let isSlow = false;
    const regex: RegexRunner = {
      matches: () => (isSlow ? Promise.reject(new HumanError(t('Too slow.'))) : Promise.resolve([])),
    };
    page = new Page(logOf(100), regex);
    page.answers.query({ gen: 1, q: 'needle' });
    const { total } = await page.resultOf(({ done }) => done);
    isSlow = true;
    page.answers.query({ gen: 2, q: '/(a+)+$/' });
    const failed = await page.resultOf(({ gen }) => gen === 2);
    assert.deepEqual([failed.error, failed.total, failed.done], ['Too slow.', total, true]);
    assert.equal(failed.newest?.rows.length, total);
    assert.equal((await page.answers.rows({ from: 0, count: 50 }))?.epoch, failed.epoch);
  });

  it('goes to failures by number, wrapping around, and to records of other sessions', async () => {
    page = new Page(logOf(20));
    const { answers } = page;
    answers.query({ gen: 1, q: 'module "' });
    const first = (await answers.next({ seq: 0, dir: 1, what: 'failure' })) ?? assert.fail();
    assert.deepEqual([first.id, first.index, first.said.slice(0, 13)], [5, 4, 'Failure 1 of ']);
    const around = await answers.next({ seq: 20, dir: 1, what: 'failure' });
    assert.deepEqual([around?.id, around?.said.slice(0, 13)], [5, 'Failure 1 of ']);
    const other = await answers.next({ seq: 4, dir: 1, what: 'session' });
    assert.deepEqual([other?.id, other?.said], [5, '']);
  });

  it('suggests sessions by title, with their counts', async () => {
    const log = logOf(30);
    log.session({ type: 'titled', sessionId: '5e551017-0000-4000-8000-000000000001', title: 'Round the discount' });
    page = new Page(log);
    const items = await page.answers.complete({ text: 'session:ro', caret: 10 });
    const shown = items.map(({ text, count }) => [text, count]);
    assert.deepEqual(shown, [['"Round the discount"', 10]]);
  });
});
