import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

function afterTool(update: object, title = 'npm test'): DiagnosedWire {
  const begun = DiagnosedWire.withSession().prompt().call(title, 'pending');
  return begun.update({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...update });
}

/** The user rejects the tool call. */
function rejected(wire: DiagnosedWire): DiagnosedWire {
  const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
  wire.asks(9, 'session/request_permission', { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options });
  return wire.reply(9, { outcome: { outcome: 'selected', optionId: 'no' } });
}

const ignored = 'The agent neither repeated it nor said that it failed: check its work.';

describe('diagnosis: tools', () => {
  it("reads the exit code from any of the agents' fields", () => {
    const said = '`npm test` exited with code 2, but the agent marked it completed.';
    const outputs = [{ exitCode: 2 }, { exit_code: 2 }, { metadata: { exit: 2 } }].map((rawOutput) => ({ rawOutput }));
    for (const place of [...outputs, { _meta: { terminal_exit: { exit_code: 2 } } }]) {
      const wire = afterTool({ status: 'completed', ...place }).end();
      assert.deepEqual(wire.said, [`warning [session-1] tool-failed: ${said} ${ignored}`]);
    }
  });

  it('reads errors from the output', () => {
    const rawOutput = { isError: true, content: [{ type: 'text', text: 'no' }] };
    const said = '`npm test` failed, but the agent marked it completed: no.';
    const wire = afterTool({ status: 'completed', rawOutput }).end();
    assert.deepEqual(wire.said, [`warning [session-1] tool-failed: ${said} ${ignored}`]);
    assert.deepEqual(afterTool({ status: 'completed', rawOutput: { success: true, message: 'fine' } }).said, []);
    assert.deepEqual(afterTool({ status: 'completed', rawOutput: { exitCode: 0, error: 'a warning' } }).said, []);
  });

  it('distinguishes a call from an earlier one with the same ID', () => {
    const wire = DiagnosedWire.withSession().prompt().call('sleep 100', 'pending').cancel();
    wire.called('completed', { rawOutput: { exitCode: 130 } }).answer({ stopReason: 'cancelled' });
    wire.prompt().call('Read a.txt', 'pending').called('completed');
    wire.call('make', 'pending').called('failed');
    wire.called('in_progress', { title: 'npm test' }).called('failed').chunk('No.').end();
    assert.deepEqual(wire.said, [
      "warning [session-1] tool-failed: 2 tool calls failed and weren't repeated: `make` (failed), `npm test` (failed). " +
        'The agent neither repeated them nor said that they failed: check its work.',
    ]);
  });

  it('counts an end that is sent twice once', () => {
    const begun = (): DiagnosedWire => DiagnosedWire.withSession().prompt().call('make', 'in_progress');
    const twice = begun().call('make', 'failed').call('make', 'failed').end();
    assert.equal(twice.codes.length, 1);
    assert.deepEqual(rejected(begun()).call('make', 'failed').call('make', 'failed').codes, []);
  });

  it("treats exit 1 of grep as a result, whatever the call's title", () => {
    for (const title of ['grep -r x .', '`grep -r x .`', "bash -lc 'rg x'", '/bin/sh -c "/usr/bin/grep x a"']) {
      const { codes } = afterTool({ status: 'completed', rawOutput: { exitCode: 1 } }, title);
      assert.deepEqual(codes, ['tool-failed notice'], title);
    }
  });

  it('settles the failure of an MCP tool that succeeds with the same or corrected arguments', () => {
    const call = (wire: DiagnosedWire, args: object, text: string, isError: boolean): DiagnosedWire =>
      wire.ask('tools/call', { name: 'list', arguments: args }, { isError, content: [{ type: 'text', text }] });
    const settled = (first: [object, string], then: object): number =>
      call(call(new DiagnosedWire('mcp'), ...first, true), then, 'fine', false).data.filter(({ settles }) => settles)
        .length;
    assert.equal(settled([{ day: 1 }, 'connection lost'], { day: 1 }), 1);
    assert.equal(settled([{ day: 1 }, 'connection lost'], { day: 2 }), 0);
    assert.equal(settled([{ day: 'tomorrow' }, 'Invalid date: tomorrow'], { day: 2 }), 1);
  });

  it('reads isError of MCP', () => {
    const result = { isError: true, content: [{ type: 'text', text: 'NaN' }] };
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'add' }, result);
    assert.equal(wire.log.find(undefined)?.summary?.worst?.level, 'warning');
    assert.deepEqual(wire.said, []);
    assert.deepEqual(wire.quiet(121_000).said, ['warning [] tool-failed: `add` failed: NaN.']);
  });
});
