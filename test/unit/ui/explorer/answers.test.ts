import assert from 'node:assert/strict';
import '../../../support/vscodeStub';
import { HumanError } from '../../../../src/runs/humanError';
import type { RegexRunner } from '../../../../src/runs/explorer/regexWorker';
import type { RunLog } from '../../../../src/runs/runLog';
import type { RunView } from '../../../../src/runs/runView';
import { Answers } from '../../../../src/ui/explorer/answers';
import type { HostMessage, PageMessage } from '../../../../src/ui/explorer/messages';
import { draftOf, emptyLog, resultOf } from '../../../support/queriedLog';
import { t } from '../../../../src/log/translator';
import { printQuery } from '../../../support/printQuery';

/** A page that notes what it is sent. */
class Page {
  readonly sent: HostMessage[] = [];
  readonly answers: Answers;
  private waiting: (() => void) | undefined;

  constructor(log: RunLog, regex?: RegexRunner, state: RunView['state'] = { type: 'following', lastAt: 0, size: 0 }) {
    const run = { log, state } as Partial<RunView> as RunView;
    const makeResult: ConstructorParameters<typeof Answers>[1]['makeResult'] = (query) =>
      resultOf(log, printQuery(query), regex);
    this.answers = new Answers(run, { post: (message) => this.receive(message), makeResult, buttonsOf: () => [] });
  }

  ask(question: PageMessage & { readonly t: 'query' | 'rows' | 'counts' | 'next' | 'locate' | 'complete' }): void {
    void this.answers.answer(question);
  }

  /** The first message of a type, from now on or before, that fits. */
  async sentOf<T extends HostMessage['t']>(
    t: T,
    fits: (message: HostMessage & { t: T }) => boolean = () => true,
  ): Promise<HostMessage & { t: T }> {
    for (;;) {
      const found = this.sent.find(
        (message): message is HostMessage & { t: T } => message.t === t && fits(message as HostMessage & { t: T }),
      );
      if (found) return found;
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
  }

  private receive(message: HostMessage): void {
    this.sent.push(message);
    this.waiting?.();
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

  it('sends the newest rows with the result, and counts later', async () => {
    page = new Page(logOf(1000));
    page.ask({ t: 'query', gen: 1, q: 'level:warning' });
    page.ask({ t: 'counts', gen: 1, buckets: 10 });
    const result = await page.sentOf('result', ({ done }) => done);
    assert.equal(result.total, 625);
    assert.equal(result.newest?.from, 500);
    assert.equal(result.newest.rows.length, 125);
    assert.equal(result.newest.rows.at(-1)?.seq, 1000);
    const levels = await page.sentOf('levels');
    assert.deepEqual(levels.counts, new Array(8).fill(125)); // of all levels, whatever the filter asks for
    const { counts } = await page.sentOf('histogram');
    assert.equal(
      new Uint32Array(counts).reduce((sum, count) => sum + count),
      625,
    );
    assert.deepEqual(
      page.sent.map(({ t }) => t).filter((t, at, all) => t !== all[at - 1]),
      ['result', 'levels', 'histogram'],
    );
  });

  it('numbers positions, so that rows of an earlier state are recognised', async () => {
    const log = logOf(300);
    page = new Page(log);
    page.ask({ t: 'query', gen: 1, q: '' });
    const first = await page.sentOf('result', ({ done }) => done);
    page.ask({ t: 'rows', gen: 1, from: 0, count: 50 });
    assert.equal((await page.sentOf('rows')).epoch, first.epoch);
    log.record(draftOf(300));
    log.flush();
    const grown = await page.sentOf('result', ({ total }) => total === 301);
    assert.equal(grown.epoch, first.epoch);
    assert.equal(grown.newest, undefined);
    log.clear();
    log.flush();
    const cleared = await page.sentOf('result', ({ total }) => total === 0);
    assert.notEqual(cleared.epoch, first.epoch);
  });

  it('locates a record of a journal only once it is read', async () => {
    const log = logOf(10);
    page = new Page(log, undefined, { type: 'reading', read: 1, size: 2 });
    page.ask({ t: 'query', gen: 1, q: '' });
    await page.sentOf('result', ({ done }) => done);
    page.ask({ t: 'locate', gen: 1, seq: 11 });
    log.record(draftOf(10));
    log.flush();
    await page.sentOf('result', ({ total }) => total === 11);
    assert.deepEqual(
      page.sent.filter(({ t }) => t === 'located'),
      [],
    );
    page.ask({ t: 'locate', gen: 1, seq: 11 });
    assert.equal((await page.sentOf('located')).index, 10);
  });

  it('answers nothing about a filter that was replaced', async () => {
    page = new Page(logOf(3000));
    page.ask({ t: 'query', gen: 1, q: 'needle' });
    page.ask({ t: 'counts', gen: 1, buckets: 10 });
    page.ask({ t: 'next', gen: 1, seq: 0, dir: 1, what: 'problem' });
    page.ask({ t: 'query', gen: 2, q: 'module' });
    page.ask({ t: 'counts', gen: 2, buckets: 10 });
    await page.sentOf('histogram');
    assert.deepEqual([...new Set(page.sent.map((message) => ('gen' in message ? message.gen : 0)))], [2]);
  });

  it('keeps the rows of the last filter if an expression is too slow', async () => {
    let isSlow = false;
    const regex: RegexRunner = {
      matches: () => (isSlow ? Promise.reject(new HumanError(t('Too slow.'))) : Promise.resolve([])),
    };
    page = new Page(logOf(100), regex);
    page.ask({ t: 'query', gen: 1, q: 'needle' });
    const { total } = await page.sentOf('result', ({ done }) => done);
    isSlow = true;
    page.ask({ t: 'query', gen: 2, q: '/(a+)+$/' });
    const failed = await page.sentOf('result', ({ gen }) => gen === 2);
    assert.deepEqual([failed.error, failed.total, failed.done], ['Too slow.', total, true]);
    assert.equal(failed.newest?.rows.length, total);
    page.ask({ t: 'rows', gen: 2, from: 0, count: 50 });
    assert.equal((await page.sentOf('rows')).epoch, failed.epoch);
  });

  it('goes to problems by number, and to records of other sessions', async () => {
    page = new Page(logOf(20));
    page.ask({ t: 'query', gen: 1, q: 'module "' });
    page.ask({ t: 'next', gen: 1, seq: 0, dir: 1, what: 'problem' });
    const first = await page.sentOf('found');
    assert.deepEqual([first.seq, first.index, first.said.slice(0, 13)], [4, 3, 'Problem 1 of ']);
    page.ask({ t: 'next', gen: 1, seq: 20, dir: 1, what: 'problem' });
    assert.equal((await page.sentOf('found', ({ index }) => index < 0)).said, 'No more problems');
    page.ask({ t: 'next', gen: 1, seq: 4, dir: 1, what: 'session' });
    assert.equal((await page.sentOf('found', ({ said }) => said === '')).seq, 5);
  });

  it('suggests sessions by title, with their counts', async () => {
    const log = logOf(30);
    log.session({ type: 'titled', sessionId: '5e551017-0000-4000-8000-000000000001', title: 'Round the discount' });
    page = new Page(log);
    page.ask({ t: 'complete', text: 'session:ro', caret: 10 });
    const { items } = await page.sentOf('completions');
    assert.deepEqual(
      items.map(({ text, count }) => [text, count]),
      [['"Round the discount"', 10]],
    );
  });
});
