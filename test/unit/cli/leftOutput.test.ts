import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { endLeftOutput } from '../../../src/cli/tap/relay/leftOutput';
import { relay } from '../../../src/cli/tap/relay/relay';

/** Takes what it is given once it reads. */
class Client extends Writable {
  reads = true;
  private waiting: (() => void) | undefined;

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.reads) done();
    else this.waiting = done;
  }

  read(): void {
    this.reads = true;
    this.waiting?.();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the output that an agent leaves open', () => {
  let stdout: PassThrough;
  let stderr: PassThrough;
  let clients: readonly [stdout: Client, stderr: Client];
  let tick: () => void;
  let isUnread: boolean;

  beforeEach(() => {
    [stdout, stderr] = [new PassThrough(), new PassThrough()];
    clients = [new Client(), new Client()];
    void relay(stdout, clients[0], {});
    void relay(stderr, clients[1], { keepOpen: true });
    isUnread = false;
    const [out, err] = [stdout, stderr].map((output, index) => ({ output, client: clients[index]! }));
    const { unread } = endLeftOutput(out!, err!, 2000, (one, ms) => {
      assert.equal(ms, 50);
      tick = one;
      return () => undefined;
    });
    void unread.then(() => (isUnread = true));
  });

  const passes = (seconds: number): void => {
    for (let ms = 0; ms < seconds * 1000; ms += 50) tick();
  };
  const writes = async (to: PassThrough): Promise<void> => {
    to.write('a\n');
    await settled();
  };
  const closed = (): readonly boolean[] => [stdout.destroyed, stderr.destroyed];

  it('is closed after 2 s of silence on both', async () => {
    passes(1.5);
    await writes(stdout);
    passes(2);
    assert.deepEqual(closed(), [false, false]);
    passes(0.05);
    assert.deepEqual(closed(), [true, true]);
  });

  it('stays open as a whole while one of both is written to, for 10 s', async () => {
    for (const to of [stdout, stderr]) {
      for (let n = 0; n < 3; n++) {
        await writes(to);
        passes(1.6);
        assert.deepEqual(closed(), [false, false]);
      }
    }
    await writes(stdout);
    passes(0.5);
    assert.deepEqual(closed(), [true, true]);
  });

  it('waits for a client that reads slowly', async () => {
    clients[0].reads = false;
    await writes(stdout);
    passes(60);
    assert.deepEqual(closed(), [false, false]);
    clients[0].read();
    await settled();
    passes(2.05);
    assert.deepEqual(closed(), [true, true]);
  });

  it('does not wait for a client that doesn’t read stderr', async () => {
    clients[1].reads = false;
    await writes(stderr);
    passes(1.1);
    await settled();
    assert.deepEqual([isUnread, ...closed()], [true, false, false]);
    passes(2.05);
    assert.deepEqual(closed(), [true, true]);
  });

  it('does not wait for a client that no longer reads stdout', async () => {
    clients[0].reads = false;
    await writes(stdout);
    stdout.pause();
    clients[0].destroy();
    await settled();
    assert.deepEqual(closed(), [true, false]);
    passes(2.05);
    assert.deepEqual(closed(), [true, true]);
  });
});
