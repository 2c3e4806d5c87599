import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Line } from '../../../../src/text/bytes/line';
import type { MemberReader } from '../../../../src/past/saved/followMembers';
import { followMembers } from '../../../../src/past/saved/followMembers';
import type { SavedMember } from '../../../../src/past/saved/savedMembers';
import { withPauses } from '../../../support/withPauses';

describe('following the members of a session', () => {
  it('spends little time on looking for new ones', async () => {
    let waits = 0;
    let looks = 0;
    const end = new AbortController();
    const idle: SavedMember = {
      key: 'idle',
      open: () => {
        const lines = [[Line.of('{"type":"x"}')]];
        return Promise.resolve({
          read: () => Promise.resolve(lines.shift()),
          wait: async () => {
            if (++waits === 20) end.abort();
            await setTimeout(1);
            return 'unchanged' as const;
          },
          size: 0,
          close: () => Promise.resolve(undefined),
        });
      },
    };
    const reader: MemberReader = {
      line: () => undefined,
      recognise: ignore,
      quiet: ignore,
      pause: ignore,
      complete: ignore,
    };
    await followMembers({
      session: {
        members: async () => {
          looks++;
          await setTimeout(20);
          return [idle];
        },
        isRunning: true,
      },
      newReader: () => reader,
      modifiedAt: 1,
      follows: () => true,
      signal: end.signal,
    });
    assert.equal(waits, 20);
    assert.ok(looks <= 2, `${looks} looks`);
  });

  it('lets other work run between lines that take long', async () => {
    const parts = [Array.from({ length: 20 }, () => Line.of('{"type":"x"}'))];
    const long: SavedMember = {
      key: 'long',
      open: () =>
        Promise.resolve({
          read: () => Promise.resolve(parts.shift()),
          wait: () => Promise.resolve('unchanged' as const),
          size: 0,
          close: () => Promise.resolve(undefined),
        }),
    };
    const reader: MemberReader = {
      line: () => {
        for (const start = performance.now(); performance.now() - start < 3;);
      },
      recognise: ignore,
      quiet: ignore,
      pause: ignore,
      complete: ignore,
    };
    const session = { members: () => Promise.resolve([long]), isRunning: false };
    await withPauses(() => followMembers({ session, newReader: () => reader, modifiedAt: 1 }));
  });
});

function ignore(): void {
  // Of no interest here.
}
