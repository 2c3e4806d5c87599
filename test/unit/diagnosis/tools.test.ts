import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

function afterTool(update: object, title = 'npm test'): DiagnosedWire {
  return DiagnosedWire.withSession()
    .prompt()
    .update({ sessionUpdate: 'tool_call', toolCallId: '1', title, status: 'pending' })
    .update({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...update });
}

const ignored = 'The agent neither repeated it nor said that it failed: check its work.';

describe('diagnosis: tools', () => {
  it("reads the exit code from any of the agents' fields", () => {
    const places = [
      { rawOutput: { exitCode: 2 } },
      { rawOutput: { exit_code: 2 } },
      { rawOutput: { metadata: { exit: 2 } } },
      { _meta: { terminal_exit: { exit_code: 2 } } },
    ];
    for (const place of places) {
      assert.deepEqual(afterTool({ status: 'completed', ...place }).end().said, [
        `warning [session-1] tool-failed: \`npm test\` exited with code 2, but the agent marked it completed. ${ignored}`,
      ]);
    }
  });

  it('reads errors from the output', () => {
    const wire = afterTool({
      status: 'completed',
      rawOutput: { isError: true, content: [{ type: 'text', text: 'no' }] },
    });
    assert.deepEqual(wire.end().said, [
      `warning [session-1] tool-failed: \`npm test\` failed, but the agent marked it completed: no. ${ignored}`,
    ]);
    assert.deepEqual(afterTool({ status: 'completed', rawOutput: { success: true, message: 'fine' } }).said, []);
    assert.deepEqual(afterTool({ status: 'completed', rawOutput: { exitCode: 0, error: 'a warning' } }).said, []);
  });

  it('waits for the end, and reports once', () => {
    const wire = afterTool({ status: 'in_progress', rawOutput: { exitCode: 1 } });
    assert.deepEqual(wire.said, []);
    const failed = { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed' };
    assert.deepEqual(wire.update(failed).said, []);
    assert.equal(wire.update(failed).end().codes.length, 1);
  });

  it('distinguishes a call from an earlier one with the same ID', () => {
    const call = (title: string): object => ({ sessionUpdate: 'tool_call', toolCallId: '1', title, status: 'pending' });
    const ended = (status: string, more: object = {}): object => {
      return { sessionUpdate: 'tool_call_update', toolCallId: '1', status, ...more };
    };
    const wire = DiagnosedWire.withSession().prompt().update(call('sleep 100'));
    wire
      .tell('session/cancel', { sessionId: 'session-1' })
      .update(ended('completed', { rawOutput: { exitCode: 130 } }));
    wire.answer({ stopReason: 'cancelled' }).prompt();
    wire.update(call('Read a.txt')).update(ended('completed')).update(call('make')).update(ended('failed'));
    wire
      .update(ended('in_progress', { title: 'npm test' }))
      .update(ended('failed'))
      .chunk('No.');
    wire.end();
    assert.deepEqual(wire.said, [
      "warning [session-1] tool-failed: 2 tool calls failed and weren't repeated: `make` (failed), `npm test` (failed). " +
        'The agent neither repeated them nor said that they failed: check its work.',
    ]);
  });

  it('counts an end that is sent twice once', () => {
    const failed = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'make', status: 'failed' };
    const begun = { ...failed, status: 'in_progress' };
    const twice = DiagnosedWire.withSession().prompt().update(begun).update(failed).update(failed).end();
    assert.equal(twice.codes.length, 1);
    const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
    const params = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options };
    const rejected = DiagnosedWire.withSession()
      .prompt()
      .update(begun)
      .asks(9, 'session/request_permission', params)
      .reply(9, { outcome: { outcome: 'selected', optionId: 'no' } });
    assert.deepEqual(rejected.update(failed).update(failed).codes, []);
  });

  it("treats exit 1 of grep as a result, whatever the call's title", () => {
    for (const title of ['grep -r x .', '`grep -r x .`', "bash -lc 'rg x'", '/bin/sh -c "/usr/bin/grep x a"']) {
      assert.deepEqual(
        afterTool({ status: 'completed', rawOutput: { exitCode: 1 } }, title).codes,
        ['tool-failed notice'],
        title,
      );
    }
  });

  it('ignores rejected tools and cancelled turns', () => {
    const failed = { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed' };
    const params = {
      sessionId: 'session-1',
      toolCall: { toolCallId: '1' },
      options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }],
    };
    const rejected = afterTool({ status: 'pending' })
      .asks(9, 'session/request_permission', params)
      .reply(9, { outcome: { outcome: 'selected', optionId: 'no' } })
      .update(failed);
    assert.deepEqual(rejected.said, []);
    const cancelled = afterTool({ status: 'pending' })
      .tell('session/cancel', { sessionId: 'session-1' })
      .update(failed);
    assert.deepEqual(cancelled.said, []);
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
    const wire = new DiagnosedWire('mcp').ask(
      'tools/call',
      { name: 'add' },
      { isError: true, content: [{ type: 'text', text: 'NaN' }] },
    );
    assert.equal(wire.log.find(undefined)?.summary?.worst?.level, 'warning');
    assert.deepEqual(wire.said, []);
    assert.deepEqual(wire.quiet(121_000).said, ['warning [] tool-failed: `add` failed: NaN.']);
  });
});
