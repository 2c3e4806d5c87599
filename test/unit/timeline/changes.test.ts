import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunLog } from '../../../src/runLog/runLog';
import type { Changes } from '../../../src/timeline/changes';
import { changesIn, changesText, isSameFile, joinedTexts } from '../../../src/timeline/changes';
import type { Span } from '../../../src/timeline/span';
import type { FileChange } from '../../../src/work/changes/fileChange';
import { editedFile, namedFile, writtenFile } from '../../../src/work/changes/fileChange';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { madeSpan } from '../../support/madeSpan';
import { recordedLog } from '../../support/recordedSpans';
import { readSaved } from '../../support/savedRun';

const folder = 'test/fixtures/changes';

describe('changes: recorded agents', () => {
  /** Those whose streams name files without their lines. */
  const uncounted = new Set(['codex-stream.ndjson']);
  for (const file of readdirSync(folder).filter((name) => name !== 'README.md')) {
    it(file, () => {
      const path = join(folder, file);
      const log = file.endsWith('.ndjson') ? recordedLog(path, 'stream-json') : readSaved(path);
      const changes = changesIn(log.spans());
      assert.equal(changes && changesText(changes), uncounted.has(file) ? '2 files' : '2 files, +6 −1');
      const files = changes?.files.map(({ path: name, kind }) => {
        return `${name.split('/').at(-1)} ${kind === 'written' ? 'created' : kind}`;
      });
      assert.deepEqual(files, ['README.md edited', 'notes.md created']);
    });
  }

  it('VS Code’s chat', () => {
    const changes = changesIn(readSaved('test/fixtures/saved/vscode-edit.jsonl').spans());
    assert.equal(changes && changesText(changes), '1 file, +1 −1');
  });
});

describe('changes over ACP', () => {
  const diff = { type: 'diff', path: '/p/a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\nthree\n' };

  it('are those of the diffs of calls that succeeded', () => {
    const wire = DiagnosedWire.withSession().prompt();
    wire.update(call('1')).update(changed('1', { status: 'completed', content: [diff] }));
    wire.update(call('2')).update(changed('2', { status: 'failed', content: [{ ...diff, path: '/p/b.ts' }] }));
    wire.update(call('3')).update(changed('3', { status: 'in_progress', content: [{ ...diff, path: '/p/c.ts' }] }));
    assert.deepEqual(filesOf(wire.log), ['/p/a.ts edited +2 −1']);
  });

  it('come from the input if there is no diff, and once if there are both', () => {
    const wire = DiagnosedWire.withSession().prompt();
    const rawInput = { file_path: '/p/a.ts', old_string: 'one', new_string: 'two' };
    wire.update(call('1', { rawInput })).update(changed('1', { status: 'completed' }));
    const written = { file_path: '/p/b.ts', content: 'a\nb\n' };
    const content = [{ type: 'diff', path: '/p/b.ts', oldText: null, newText: 'a\nb\n' }];
    wire
      .update(call('2', { title: 'Write b.ts', rawInput: written }))
      .update(changed('2', { status: 'completed', content }));
    assert.deepEqual(filesOf(wire.log), ['/p/a.ts edited +1 −1', '/p/b.ts created +2 −0']);
  });

  it('of version 2 are listed, with a patch or without', () => {
    const wire = DiagnosedWire.withSession().prompt();
    const text = '--- a/p/a.ts\n+++ b/p/a.ts\n@@ -1 +1,2 @@\n-one\n+two\n+three\n';
    const files = [
      { operation: 'modify', path: '/p/a.ts' },
      { operation: 'delete', path: '/p/b.ts' },
      { operation: 'move', oldPath: '/p/c.ts', path: '/p/d.ts' },
    ];
    const content = [{ type: 'diff', changes: files, patch: { format: 'git_patch', text } }];
    wire.update(call('1')).update(changed('1', { status: 'completed', content }));
    assert.deepEqual(filesOf(wire.log), ['/p/a.ts edited +2 −1', '/p/b.ts deleted +0 −0', '/p/d.ts moved +0 −0']);
  });

  it('include what the client wrote for the agent, once', () => {
    const wire = DiagnosedWire.withSession().prompt();
    const asked = (id: number, path: string): void => {
      wire.says({ id, method: 'fs/write_text_file', params: { sessionId: 'session-1', path, content: 'a\nb\n' } });
    };
    for (const [id, path] of ['/p/a.ts', '/p/b.ts'].entries()) {
      asked(id, path);
      wire.send('c2a', { jsonrpc: '2.0', id, result: null });
    }
    asked(2, '/p/c.ts');
    wire.send('c2a', { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'denied' } });
    wire.update(call('1')).update(changed('1', { status: 'completed', content: [diff] }));
    assert.deepEqual(filesOf(wire.log), ['/p/a.ts edited +2 −1', '/p/b.ts written +2 −0']);
  });
});

describe('changes of a turn', () => {
  const span = (id: string, ...changes: readonly FileChange[]): Span => madeSpan(id, 'tool', 0, 1, { changes });

  it('are joined by file, and count each change', () => {
    const spans = [
      span('1', writtenFile('/p/src/a.ts', 'one\ntwo\n', '')),
      span('2', editedFile('src/a.ts', [['one', '1']]), editedFile('b.ts', [['x', '']])),
    ];
    const changes = changesIn(spans);
    assert.deepEqual(changes?.files.map(lineOf), ['/p/src/a.ts created +3 −1', 'b.ts edited +0 −1']);
    assert.deepEqual(changes.files[0]?.spans, ['1', '2']);
    assert.equal(changesText(changes), '2 files, +3 −2');
    assert.equal(changesIn([span('1')]), undefined);
  });

  it('say that there were more lines if a record has none', () => {
    const changes = changesIn([span('1', namedFile('a', 'edited'), editedFile('b', [['x', 'y']]))]);
    assert.equal(changes && changesText(changes), '2 files, at least +1 −1');
  });

  it('have whole texts if each change begins where the one before ended', () => {
    const first = writtenFile('a', 'one\n', '');
    const whole = { before: '', after: 'two\n', isWhole: true };
    assert.deepEqual(joinedTexts([first, writtenFile('a', 'two\n', 'one\n')]), whole);
    const parts = { before: '\n⋯\none', after: 'one\n\n⋯\n1', isWhole: false };
    assert.deepEqual(joinedTexts([first, editedFile('a', [['one', '1']])]), parts);
    assert.equal(joinedTexts([namedFile('a', 'edited')]), undefined);
  });

  it('know a file by its path in a folder', () => {
    assert.ok(isSameFile('/p/src/a.ts', './src/a.ts'));
    assert.ok(isSameFile('C:\\p\\src\\a.ts', 'src/a.ts'));
    assert.ok(!isSameFile('/p/src/aa.ts', 'a.ts'));
  });
});

const call = (toolCallId: string, more: object = {}): object => {
  return { sessionUpdate: 'tool_call', toolCallId, title: 'Edit', ...more };
};
const changed = (toolCallId: string, more: object): object => {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...more };
};

function filesOf(log: RunLog): readonly string[] {
  return (changesIn(log.spans())?.files ?? []).map(lineOf);
}

function lineOf({ path, kind, added, removed }: Changes['files'][number]): string {
  return `${path} ${kind} +${added} −${removed}`;
}
