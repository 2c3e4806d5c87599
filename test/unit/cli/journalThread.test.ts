import type { RunProtocol } from '../../../src/wire/protocol';
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { objectOf } from '../../../src/text/json';
import { Redactor } from '../../../src/redact/redactor';
import type { LineLimits } from '../../../src/cli/tap/journal/journalKeeper';
import { JournalKeeper } from '../../../src/cli/tap/journal/journalKeeper';
import type { StreamName, ToThread } from '../../../src/cli/tap/journal/threadMessage';
import { ThreadObserver } from '../../../src/cli/tap/journal/threadObserver';
import type { JournalWriter } from '../../../src/wire/journal/journalWriter';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { plainEvent } from '../../support/plainEvent';

/** A thread that records its messages, and otherwise does nothing. */
class StillThread extends EventEmitter {
  readonly told: ToThread[] = [];

  postMessage(messages: readonly ToThread[]): void {
    this.told.push(...messages);
  }

  unref(): void {
    // it keeps no process alive
  }

  terminate(): Promise<number> {
    return Promise.resolve(0);
  }
}

function observed() {
  const thread = new StillThread();
  const problems: string[] = [];
  const observer = new ThreadObserver(thread, {
    now: () => 1,
    maxWaiting: 100,
    closeGrace: 1,
    endGrace: 1,
    onWarning: (message) => problems.push(`warning: ${message}`),
    onProblem: (message) => problems.push(message),
    onUnfinished: () => problems.push('unfinished'),
  });
  return { thread, observer, problems };
}

/** A journal in memory. */
function kept(protocol: RunProtocol = 'acp', limits?: LineLimits) {
  const events: WireEvent[] = [];
  const done = (): Promise<void> => Promise.resolve();
  const write: JournalWriter['write'] = (event) => {
    if (!('part' in event)) events.push(event);
  };
  const keeper = new JournalKeeper({ write, flush: done, close: done }, protocol, new Redactor(), limits);
  const chunk = (dir: StreamName, text: string): Promise<void> =>
    keeper.accept({ type: 'chunk', dir, t: 1, bytes: new Uint8Array(Buffer.from(text)) });
  return { keeper, events, chunk };
}

describe('tap: what crosses goes to the journal’s thread', () => {
  it('a thread that is behind misses bytes, which are counted at their place', async () => {
    const { thread, observer } = observed();
    for (let i = 0; i < 5; i++) observer.chunk('a2c', Buffer.alloc(40));
    observer.chunk('err', Buffer.alloc(70));
    thread.emit('message', { type: 'taken', bytes: 40 });
    observer.chunk('a2c', Buffer.alloc(15)); // still more than half is waiting
    thread.emit('message', { type: 'taken', bytes: 40 });
    observer.chunk('a2c', Buffer.alloc(6));
    await observer.close();
    const brief = thread.told.map((message) => {
      if (message.type === 'chunk') return ['chunk', message.dir, message.bytes.length];
      return message.type === 'skipped' ? ['skipped', message.dir, message.bytes] : [message.type];
    });
    assert.deepEqual(brief, [
      ['chunk', 'a2c', 40],
      ['chunk', 'a2c', 40],
      ['skipped', 'a2c', 135],
      ['skipped', 'err', 70],
      ['chunk', 'a2c', 6],
      ['close'],
    ]);
  });

  it('reports a thread that dies once, and sends nothing more to it', async () => {
    const { thread, observer, problems } = observed();
    thread.emit('error', new Error('out of memory'));
    thread.emit('exit', 1);
    observer.chunk('a2c', Buffer.from('x'));
    observer.event({ ev: 'stdin-close' });
    await observer.close();
    assert.deepEqual(problems, ['out of memory']);
    assert.deepEqual(thread.told, []);
  });

  it('the end waits for the journal, and not for ever', async () => {
    const { thread, observer, problems } = observed();
    assert.equal(await observer.close(), true); // without an answer
    assert.deepEqual(thread.told, [{ type: 'close' }]);
    assert.deepEqual(problems, ['unfinished']);
  });
});

describe('tap: a thread that the system keeps waiting', () => {
  it('differs from one that ends', async () => {
    const { thread, observer } = observed();
    thread.terminate = () => new Promise(() => undefined);
    assert.equal(await observer.close(), false);
  });

  it('differs from one that has closed its journal and is slow to get its turn', async () => {
    const { thread, observer, problems } = observed();
    thread.terminate = () => new Promise((resolve) => setTimeout(() => resolve(0), 20)); // longer than `endGrace`
    const closing = observer.close();
    thread.emit('message', { type: 'closed' });
    assert.deepEqual([await closing, problems], [true, []]);
  });
});

describe('tap: the journal’s thread', () => {
  it('tells JSON from other lines, and takes secrets out of both', async () => {
    const { events, chunk } = kept();
    await chunk('c2a', '\ufeff{"token":"c29tZXRoaW5nLXNlY3JldA"}\r\n\n');
    await chunk('a2c', 'Authorization: Bearer c29tZXRoaW5nLXNlY3JldA\n');
    await chunk('err', '\n');
    assert.deepEqual(events.map(plainEvent), [
      { t: 1, dir: 'c2a', line: '\ufeff{"token":"[redacted]"}', msg: { token: '[redacted]' } },
      { t: 1, dir: 'a2c', line: 'Authorization: Bearer …[redacted]' },
      { t: 1, dir: 'err', line: '' },
    ]);
  });

  it('keeps an answer over the limit with its long strings cut, so that its request counts as answered', async () => {
    const { events, chunk } = kept('mcp', { whole: 10_000, message: 100_000 });
    const answer = { result: { content: [{ type: 'image', data: 'iVBORw0K'.repeat(10_000) }] }, jsonrpc: '2.0', id: 7 };
    await chunk('a2c', `${JSON.stringify(answer)}\n`);
    const [event] = events;
    assert(event?.dir === 'a2c');
    assert.equal(event.bytes, JSON.stringify(answer).length);
    assert(event.line.length < 10_000);
    assert.deepEqual(JSON.parse(event.line), event.msg);
    assert.equal(objectOf(event.msg)['id'], 7);
  });

  it('keeps the beginning of lines over the limit that are no request or answer, or too long for one', async () => {
    const { events, chunk } = kept('mcp', { whole: 10_000, message: 20_000 });
    await chunk('a2c', `{"jsonrpc":"2.0","method":"log","params":"${'x'.repeat(15_000)}"}\n`);
    await chunk('a2c', `{"id":7,"result":"${'x'.repeat(25_000)}"}\n`);
    await chunk('err', `{"id":7,"result":"${'x'.repeat(15_000)}"}\n`);
    const lines = events.map((event) => {
      assert.ok('line' in event && !('msg' in event && event.msg !== undefined));
      return `${event.dir} ${event.line.length} ${event.bytes}`;
    });
    assert.deepEqual(lines, ['a2c 4096 15044', 'a2c 4096 25020', 'err 4096 15020']);
  });

  it('goes on at the next line after a gap', async () => {
    const { keeper, events, chunk } = kept();
    await chunk('a2c', '{"a":1}\n{"b":');
    await keeper.accept({ type: 'skipped', dir: 'a2c', t: 2, bytes: 9 });
    await chunk('a2c', 'the rest of one line');
    await chunk('a2c', ' }\n{"c":3}\n');
    const lines = events.map((event) => ('line' in event ? event.line : event));
    assert.deepEqual(lines, ['{"a":1}', '{"b":', { t: 2, dir: 'ev', ev: 'skipped', bytes: 9 }, '{"c":3}']);
  });

  it('keeps the last line of every stream, though it has no line break', async () => {
    const { keeper, events, chunk } = kept();
    await chunk('err', 'last words');
    await keeper.accept({ type: 'event', t: 3, event: { ev: 'exit', code: 1, signal: null } });
    assert.deepEqual(events, [
      { t: 3, dir: 'err', line: 'last words' },
      { t: 3, dir: 'ev', ev: 'exit', code: 1, signal: null },
    ]);
  });

  it('reads the headers of a language server', async () => {
    const { events, chunk } = kept('lsp');
    const bytes = 'Content-Length: 9\r\nContent-Type: x\r\n\r\n{"a":"é"}junk\r\n\r\nContent-Length: 2\r\n\r\n{}';
    for (const char of bytes) await chunk('a2c', char);
    // The length is in bytes: é has two.
    const lines = events.map((event) => 'line' in event && event.line);
    assert.deepEqual(lines, ['{"a":"é"', '}junk', '{}']);
  });
});
