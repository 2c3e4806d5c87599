import assert from 'node:assert/strict';
import { DrawnRows } from '../../../src/ui/tree/drawnRows';
import type { TreeNode } from '../../../src/ui/tree/treeNode';

type AgentNode = Extract<TreeNode, { type: 'agent' }>;

describe('the rows that are drawn', () => {
  const agent = (name: string): AgentNode => ({ type: 'agent', id: `agent:${name}`, name });
  const [one, two, past] = [agent('one'), agent('two'), { type: 'past', id: 'past' } as const];

  /** A view that has drawn a tree, which may be another one since. */
  function drawn(below: Map<TreeNode, readonly TreeNode[]>): () => readonly TreeNode[] | undefined {
    const rows = new DrawnRows({
      roots: () => [...below.keys()],
      children: (node) => below.get(node) ?? [],
    });
    rows.drew([...below.keys()]);
    return () => rows.changed();
  }

  it('stay where nothing has come or gone', () => {
    assert.deepEqual(drawn(new Map([[one, [two]]]))(), []);
  });

  it('are drawn anew, once, below the root where one has come, gone, or is another object', () => {
    for (const children of [[two, one], [agent('two')], [one]]) {
      const below = new Map<TreeNode, readonly TreeNode[]>([
        [one, [two]],
        [past, [two]],
      ]);
      const changed = drawn(below);
      below.set(past, children);
      assert.deepEqual(changed(), [past]);
      assert.deepEqual(changed(), []);
    }
  });

  it('are drawn anew as a whole where a root has come or gone', () => {
    const below = new Map<TreeNode, readonly TreeNode[]>([[one, []]]);
    const changed = drawn(below);
    below.set(two, []);
    assert.equal(changed(), undefined);
  });

  it('are drawn anew as a whole where a root gets its first row, or loses its last', () => {
    const below = new Map<TreeNode, readonly TreeNode[]>([
      [one, []],
      [past, [two]],
    ]);
    const changed = drawn(below);
    below.set(one, [two]);
    assert.equal(changed(), undefined);
    below.set(one, []).set(past, []);
    assert.equal(changed(), undefined);
  });
});
