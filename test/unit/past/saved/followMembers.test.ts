import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Line } from '../../../../src/text/bytes/line';
import type { MemberReader } from '../../../../src/past/saved/followMembers';
import { followMembers } from '../../../../src/past/saved/followMembers';
import type { SavedMember } from '../../../../src/past/saved/savedMembers';
import { withPauses } from '../../../support/withPauses';

describe('following the members of a session', () => {
  const ignore = (): void => undefined;

  /** A member of so many lines that never grows. */
  function member(count: number, wait: () => Promise<unknown> = () => Promise.resolve()): SavedMember {
    const lines = [Array.from({ length: count }, () => Line.of('{"type":"x"}'))];
    const source = { read: () => Promise.resolve(lines.shift()), size: 0, close: () => Promise.resolve(undefined) };
    return {
      key: 'a',
      open: () => Promise.resolve({ ...source, wait: () => wait().then(() => 'unchanged' as const) }),
    };
  }

  function reader(line: () => void): () => MemberReader {
    return () => ({ line, recognise: ignore, quiet: ignore, pause: ignore, complete: ignore });
  }

  it('spends little time on looking for new ones', async () => {
    let waits = 0;
    let looks = 0;
    const end = new AbortController();
    const idle = member(1, () => {
      if (++waits === 20) end.abort();
      return setTimeout(1);
    });
    const members = (): Promise<SavedMember[]> => {
      looks++;
      return setTimeout(20, [idle]);
    };
    const how = { modifiedAt: 1, follows: () => true, signal: end.signal };
    await followMembers({ session: { members, isRunning: true }, newReader: reader(ignore), ...how });
    assert.equal(waits, 20);
    assert.ok(looks <= 2, `${looks} looks`);
  });

  it('lets other work run between lines that take long', async () => {
    const newReader = reader(() => {
      for (const start = performance.now(); performance.now() - start < 3;);
    });
    const session = { members: () => Promise.resolve([member(20)]), isRunning: false };
    await withPauses(() => followMembers({ session, newReader, modifiedAt: 1 }));
  });
});
