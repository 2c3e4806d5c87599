import assert from 'node:assert/strict';
import { DrawnRows } from '../../../src/ui/tree/drawnRows';
import type { TreeNode } from '../../../src/ui/tree/treeNode';

type AgentNode = Extract<TreeNode, { type: 'agent' }>;

describe('the rows that are drawn', () => {
  const agent = (name: string): AgentNode => ({ type: 'agent', id: `agent:${name}`, name });
  const [one, two, past] = [agent('one'), agent('two'), { type: 'past', id: 'past' } as const];

  /** A tree as it is now, and a view that has drawn it. */
  function drawn(below: Map<TreeNode, readonly TreeNode[]>): {
    rows: DrawnRows;
    changed: () => readonly TreeNode[] | undefined;
  } {
    const rows = new DrawnRows();
    const model = { roots: () => [...below.keys()], children: (node: TreeNode) => below.get(node) ?? [] };
    rows.drew(undefined, model.roots());
    for (const [root, children] of below) rows.drew(root, children);
    return { rows, changed: () => rows.changed(model) };
  }

  it('stay where nothing has come or gone', () => {
    const { changed } = drawn(new Map([[one, [two]]]));
    assert.deepEqual(changed(), []);
  });

  it('are drawn anew below the root where one has come, gone, or is another object', () => {
    const below = new Map<TreeNode, readonly TreeNode[]>([
      [one, [two]],
      [past, [two]],
    ]);
    const { changed } = drawn(below);
    for (const children of [[], [two, one], [agent('two')]]) {
      below.set(past, children);
      assert.deepEqual(changed(), [past]);
    }
  });

  it('are drawn anew as a whole where a root has come or gone', () => {
    const below = new Map<TreeNode, readonly TreeNode[]>([[one, []]]);
    const { changed } = drawn(below);
    below.set(two, []);
    assert.equal(changed(), undefined);
  });

  it('are looked up by VS Code again after the whole tree was drawn', () => {
    const { rows, changed } = drawn(new Map([[one, [two]]]));
    rows.drew(undefined, [one]);
    assert.deepEqual(changed(), [one]);
  });
});
