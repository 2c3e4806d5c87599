import assert from 'node:assert/strict';
import { changesOfInput } from '../../../../src/work/changes/inputChanges';

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const blocks = '<<<<<<< SEARCH\none\n=======\n1\n2\n>>>>>>> REPLACE\n';

/** The tool, its input, and the files that it changes. */
const inputs: readonly (readonly [name: string, input: unknown, ...files: readonly string[]])[] = [
  ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y\nz' }, '/a edited +2 −1'],
  ['MultiEdit', { file_path: '/a', edits: [edit('a', 'b'), edit('c', '')] }, '/a edited +1 −2'],
  ['Write', { file_path: '/a', content: 'x\ny\n' }, '/a written +2 −0'],
  ['NotebookEdit', { notebook_path: '/a.ipynb', new_source: 'x = 1', cell_id: '1' }, '/a.ipynb edited +1 −0'],
  ['edit', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, 'a edited +1 −1'],
  ['StrReplaceFile', { path: 'a', edit: { old: 'x', new: 'y' } }, 'a edited +1 −1'],
  ['edit', { filePath: '/a', oldString: 'x', newString: '' }, '/a edited +0 −1'],
  ['replace', { file_path: '/a', instruction: 'Fix.', old_string: '', new_string: 'x' }, '/a edited +1 −0'],
  ['write_to_file', { path: 'a', content: 'x' }, 'a written +1 −0'],
  ['replace_in_file', { path: 'a', diff: blocks }, 'a edited +2 −1'],
  ['developer__text_editor', { command: 'write', path: '/a', file_text: 'x' }, '/a written +1 −0'],
  ['developer__text_editor', { command: 'str_replace', path: '/a', old_str: 'x', new_str: 'y' }, '/a edited +1 −1'],
  ['developer__text_editor', { command: 'insert', path: '/a', insert_line: 1, new_str: 'y' }, '/a edited +1 −0'],
  ['developer__text_editor', { command: 'view', path: '/a' }],
  ['create_file', { filePath: '/a', content: '' }, '/a written +0 −0'],
  ['multi_replace_string_in_file', { replacements: [{ filePath: '/a', ...edit('x', 'y') }] }, '/a edited +1 −1'],
  ['delete_file', { path: '/a' }, '/a deleted +0 −0'],
  ['remove-files', { file_paths: ['/a', '/b'] }, '/a deleted +0 −0', '/b deleted +0 −0'],
  ['fs/move_file', { source: '/a', destination: '/b' }, '/b moved +0 −0'],
  ['fs/edit_file', { path: '/a', edits: [{ oldText: 'x', newText: 'y' }], dryRun: true }],
  ['create_or_update_file', { owner: 'me', repo: 'r', path: 'a', content: 'x' }],
  ['apply_patch', { input: patch('*** Add File: a', '+x', '+y') }, 'a created +2 −0'],
  [
    'apply_patch',
    patch('*** Update File: a', '@@ f()', ' x', '-y', '+z', '*** Delete File: b'),
    'a edited +1 −1',
    'b deleted +0 −0',
  ],
  ['apply_patch', { patchText: patch('*** Update File: a', '*** Move to: b', '-y', '+z') }, 'b moved +1 −1'],
  ['Read', { file_path: '/a' }],
  ['Grep', { path: '/a', pattern: 'content' }],
  ['TodoWrite', { todos: [{ content: 'x' }] }],
  ['Bash', { command: 'echo x > a' }],
  ['Bash', { command: `cat <<E\n${patch('*** Add File: a', '+x')}\nE` }],
];

describe('changes by the input of a call', () => {
  for (const [name, input, ...files] of inputs) {
    it(`${name} ${JSON.stringify(input).slice(0, 60)}`, () => {
      const changes = changesOfInput(name, input) ?? [];
      assert.deepEqual(
        changes.map(({ path, kind, added, removed }) => `${path} ${kind} +${added} −${removed}`),
        files,
      );
    });
  }

  it('are bounded', () => {
    const long = 'x\n'.repeat(200_000);
    const [change] = changesOfInput('Write', { path: 'p'.repeat(1000), content: long }) ?? [];
    assert.deepEqual([change?.path.length, change?.added, change?.texts?.isWhole], [500, 200_000, false]);
    assert.ok((change?.texts?.after.length ?? 0) <= 100_000);
    const many = patch(...Array.from({ length: 80 }, (_, n) => `*** Delete File: ${n}`));
    assert.equal(changesOfInput('apply_patch', many)?.length, 50);
  });
});

function edit(before: string, after: string): object {
  return { old_string: before, new_string: after };
}
