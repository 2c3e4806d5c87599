import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { RefreshQueue } from '../../../src/ui/tree/refreshQueue';
import type { TreeNode } from '../../../src/ui/tree/treeNode';

describe('the rows that wait to be redrawn', () => {
  const agent = (name: string): TreeNode => ({ type: 'agent', id: `agent:${name}`, name });
  const [one, two, three] = [agent('one'), agent('two'), agent('three')];

  /** What is redrawn after all that is done to it. */
  async function redrawn(
    act: (queue: RefreshQueue) => void,
    isStale: (node: TreeNode) => boolean = () => false,
  ): Promise<readonly (TreeNode[] | undefined)[]> {
    const fired: (TreeNode[] | undefined)[] = [];
    const queue = new RefreshQueue((nodes) => fired.push(nodes), isStale);
    act(queue);
    await wait(400);
    queue.dispose();
    return fired;
  }

  it('are redrawn at once, however often they changed', async () => {
    const fired = await redrawn((queue) => {
      for (let i = 0; i < 1000; i++) queue.add(i % 2 === 0 ? one : two);
    });
    assert.deepEqual(fired, [[one, two]]);
  });

  it('are those whose own text is another, where nothing else has changed', async () => {
    const suspectAll = (queue: RefreshQueue): void => {
      for (const node of [one, two, three]) queue.suspect(node);
    };
    assert.deepEqual(await redrawn(suspectAll, (node) => node === two), [[two]]);
    assert.deepEqual(await redrawn(suspectAll), []);
  });

  it('are all of them where that was wanted', async () => {
    assert.deepEqual(
      await redrawn((queue) => {
        queue.add(one);
        queue.add(undefined);
      }),
      [undefined],
    );
  });
});
