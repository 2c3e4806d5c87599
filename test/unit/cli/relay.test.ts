import fc from 'fast-check';
import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { relay } from '../../../src/cli/tap/relay/relay';

/** Takes what it is given, one chunk in a turn of the loop. */
class Slow extends Writable {
  readonly taken: Buffer[] = [];

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(bytes);
    setImmediate(done);
  }
}

const chunk = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const chunks = fc.array(chunk, { maxLength: 40 });

describe('relay', () => {
  it('hands on any bytes, chunk for chunk, to a reader of any speed', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 1000 }), async (sent, highWaterMark) => {
        const sink = new Slow({ highWaterMark });
        const seen: Buffer[] = [];
        const source = Readable.from(sent, { objectMode: false });
        assert.equal(await relay(source, sink, { onRead: (chunk) => seen.push(chunk) }), 'ended');
        assert.deepEqual(Buffer.concat(sink.taken), Buffer.concat(sent));
        assert.deepEqual(seen, sink.taken);
      }),
      { numRuns: 60 },
    );
  });

  it('slows the writer down when the reader is slow', async () => {
    const source = new PassThrough({ highWaterMark: 1000 });
    const sink = new Writable({ highWaterMark: 1000, write: () => undefined }); // never done
    void relay(source, sink, {});
    let written = 0;
    while (written < 1_000_000 && source.write(Buffer.alloc(100))) {
      written += 100;
      await new Promise(setImmediate);
    }
    assert.ok(written < 10_000, `${written} bytes were taken though nobody reads`);
    assert.equal(source.isPaused(), true);
  });
});
