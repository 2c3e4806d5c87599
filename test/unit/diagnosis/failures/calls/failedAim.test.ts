import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../../../support/diagnosedWire';

interface Call {
  readonly tool?: string;
  readonly command?: string;
  readonly output: string;
  readonly isOk?: true;
}

const admitted = 'I could not change the files, every attempt failed. Nothing was changed.';

function turn(calls: readonly Call[]): DiagnosedWire {
  const wire = DiagnosedWire.withSession().prompt();
  for (const [n, { tool, command, output, isOk }] of calls.entries()) {
    const toolCallId = String(n);
    const about = command === undefined ? { kind: 'edit', title: tool } : { kind: 'execute', title: command };
    const rawInput = command === undefined ? { path: `src/${n}.ts` } : { command };
    wire.update({ sessionUpdate: 'tool_call', toolCallId, ...about, rawInput, status: 'in_progress' });
    const content = [{ type: 'content', content: { type: 'text', text: output } }];
    wire.update({ sessionUpdate: 'tool_call_update', toolCallId, status: isOk ? 'completed' : 'failed', content });
  }
  return wire.chunk(admitted).end();
}

describe('diagnosis: what a turn was for failed', () => {
  const causes: Readonly<Record<string, readonly string[]>> = {
    'disk full': [
      "ENOSPC: no space left on device, write 'src/a.ts'",
      'sh: 1: cannot create a.ts: No space left on device (os error 28)',
      'There is not enough space on the disk.',
      '设备上没有空间',
      'На устройстве не осталось свободного места',
    ],
    'read-only': [
      'EROFS: read-only file system, open a.ts',
      'patch rejected: writing is blocked by read-only sandbox',
      'Système de fichiers accessible en lecture seulement',
    ],
    'no write access': [
      "EACCES: permission denied, open 'src/a.ts'",
      "EPERM: operation not permitted, open 'C:\\work\\a.ts'",
      'PermissionError: [Errno 13] a.ts',
      'Permiso denegado',
    ],
    'blocked by a hook': [
      'PreToolUse:Write hook error: [./lock.sh]: frozen',
      'Tool execution blocked by hook: frozen until Monday',
      'BeforeTool hook denied write_file: frozen',
    ],
  };
  for (const [cause, outputs] of Object.entries(causes)) {
    for (const output of outputs) {
      it(`is a warning (${cause}): ${output}`, () => {
        const { said } = turn(['Write a', 'Write b'].map((tool) => ({ tool, output })));
        assert.equal(said.length, 1, said.join('\n'));
        assert.match(said[0] ?? '', new RegExp(`No file was changed: 2 of 2 attempts failed · ${cause}`));
      });
    }
  }

  it('names the cause of a single attempt', () => {
    const wire = turn([{ tool: 'write_file', output: 'ENOSPC: no space left on device' }]);
    assert.deepEqual(wire.codes, ['tool-failed warning']);
    assert.match(wire.first, /Free some disk space/);
  });

  it("is a notice if another attempt succeeded, or if it isn't about changes", () => {
    const full = 'EROFS: read-only file system';
    const copied = { command: 'cp a /tmp/a', output: '', isOk: true } as const;
    const elsewhere = turn([{ tool: 'Write a', output: full }, copied]);
    assert.deepEqual(elsewhere.codes, ['tool-failed notice']);
    const looks = turn([{ command: 'cat /etc/shadow', output: 'cat: /etc/shadow: Permission denied' }]);
    assert.deepEqual(looks.codes, ['tool-failed notice']);
  });

  it('counts only what followed the last change', () => {
    const failed = { tool: 'Edit b', output: 'text not found' };
    const wire = turn([{ tool: 'Write a', output: 'ok', isOk: true }, failed, failed]);
    assert.match(wire.said.join('\n'), /The last 2 attempts to change files failed/);
  });
});
