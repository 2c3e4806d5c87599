import type { RunProtocol } from '../../../src/wire/protocol';
import assert from 'node:assert/strict';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RecordStore } from '../../../src/store/store';
import { RunLog } from '../../../src/runLog/runLog';
import { DiagnosedWire } from '../../support/diagnosedWire';

/** The records of tools that these lines have. */
function toolRecords(protocol: RunProtocol, lines: readonly object[]): string[] {
  const log = new RunLog(new RecordStore(1e7), 0);
  const interpreter = interpretation(protocol, log);
  for (const [t, msg] of lines.entries()) interpreter.accept({ t, dir: 'a2c', line: JSON.stringify(msg), msg });
  const records = log.store.query({}).filter(({ logger }) => logger === 'tool');
  return records.map(({ level, message }) => `${level} ${message}`);
}

/** An ACP run with a command that ends like this. */
function afterCommand(command: string, end: object): DiagnosedWire {
  return DiagnosedWire.withSession()
    .prompt()
    .update({ sessionUpdate: 'tool_call', toolCallId: '1', title: command, kind: 'execute', rawInput: { command } })
    .update({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...end });
}

function toolSpans({ log }: DiagnosedWire): string[] {
  return log.spans({ kinds: ['tool'] }).map(({ outcome, detail = '' }) => `${outcome ?? 'open'} ${detail}`.trim());
}

function lastRecord({ log }: DiagnosedWire): string {
  const { level, message } = log.store.query({}).findLast(({ logger }) => logger === 'tool')!;
  return `${level} ${message}`;
}

describe('work: outcomes', () => {
  it('shows the same end of a command in Turns and Problems, whatever status the agent gave it', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'no\nexited with code 3' } }];
    const failed = afterCommand('npm test', { status: 'completed', content });
    assert.deepEqual(toolSpans(failed), ['error exit 3']);
    assert.match(lastRecord(failed), /^notice npm test \(failed, exit 3\)/);
    failed.answer({ stopReason: 'end_turn' });
    assert.match(failed.said.join(), /^warning .*`npm test` exited with code 3, but the agent marked it completed/);
    // `grep` has found nothing, which is an answer.
    const answered = afterCommand('grep x f', { status: 'failed', rawOutput: { exitCode: 1 } });
    assert.deepEqual(toolSpans(answered), ['ok exit 1']);
    assert.deepEqual(answered.codes, ['tool-failed notice']);
    assert.equal(lastRecord(answered), 'info grep x f (completed, exit 1)');
    const exit = { sessionUpdate: 'tool_call_update', toolCallId: '1', rawOutput: { exitCode: 2 } };
    const late = afterCommand('make', { status: 'completed' }).update(exit);
    assert.deepEqual(toolSpans(late), ['error exit 2']);
    assert.deepEqual(late.answer({ stopReason: 'end_turn' }).codes, ['tool-failed warning']);
  });

  it('shows a command that ends after its turn was cancelled as cancelled', () => {
    const wire = afterCommand('npm test', { status: 'in_progress' }).tell('session/cancel', { sessionId: 'session-1' });
    const rawOutput = { exitCode: 130 };
    const end = { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed', rawOutput };
    wire.update(end).answer({ stopReason: 'cancelled' });
    assert.deepEqual(toolSpans(wire), ['cancelled']);
    assert.deepEqual(wire.said, []);
    assert.equal(wire.log.find('session-1')?.summary?.lastTurn?.outcome, 'cancelled');
  });

  it('shows a turn as cancelled in the row and in Turns if its session was closed', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('Well.');
    wire.send('c2a', { jsonrpc: '2.0', id: 9, method: 'session/close', params: { sessionId: 'session-1' } });
    wire.answer({ stopReason: 'end_turn' });
    assert.equal(wire.log.find('session-1')?.summary?.lastTurn?.outcome, 'cancelled');
    assert.deepEqual(wire.log.spans({ kinds: ['turn'] })[0]?.outcome, 'cancelled');
  });

  it('shows a failed login of a cancelled turn as a failure in the row, in Turns and in Problems', () => {
    const wire = DiagnosedWire.withSession().prompt().tell('session/cancel', { sessionId: 'session-1' });
    wire.refuse(-32603, 'Invalid API key');
    assert.deepEqual(wire.codes, ['authentication-required error']);
    assert.equal(wire.log.find('session-1')?.summary?.lastTurn?.outcome, 'error');
    assert.equal(wire.log.spans({ kinds: ['turn'] })[0]?.outcome, 'error');
  });

  it('takes the exit code of an OpenCode tool from either field, in the stream and in the saved session', () => {
    for (const metadata of [{ exitCode: 2 }, { exit: 2 }]) {
      const state = { status: 'completed', input: { command: 'make' }, output: 'no', metadata };
      const part = { type: 'tool', tool: 'bash', callID: 'c', messageID: 'm', id: 'p', sessionID: 'ses_1', state };
      const streamed = toolRecords('stream-json', [{ type: 'tool_use', sessionID: 'ses_1', timestamp: 1, part }]);
      assert.deepEqual(streamed, ['notice bash: make (failed, exit 2): no']);
      const saved = toolRecords('saved', [
        { type: 'opencode.session', session: { id: 'ses_1' } },
        { type: 'opencode.message', message: { id: 'm', sessionID: 'ses_1', role: 'assistant' } },
        { type: 'opencode.part', part },
      ]);
      assert.match(saved.at(-1) ?? '', /^notice bash: make \(failed, exit 2[,)]/);
    }
  });

  it('shows the exit code of a Gemini tool in its record', () => {
    const timestamp = '2026-11-20T12:00:00.000Z';
    const event = { type: 'tool_result', timestamp, tool_id: 'a', status: 'error', output: 'no', exit_code: 2 };
    const init = { type: 'init', timestamp, session_id: '0123456789abcdef', model: 'gemini-3' };
    const use = { type: 'tool_use', timestamp, tool_name: 'shell', tool_id: 'a', parameters: { command: 'make' } };
    const records = toolRecords('stream-json', [init, use, event]);
    assert.match(records.at(-1) ?? '', /^notice shell: make \(failed, exit 2/);
  });

  it('names the cause of an empty turn that the agent printed to stderr, during the turn or since the one before', () => {
    const line = 'provider answered 401, giving up';
    const during = DiagnosedWire.withSession().prompt().stderr(line).answer({ stopReason: 'end_turn' });
    const before = DiagnosedWire.withSession().stderr(line).prompt().answer({ stopReason: 'end_turn' });
    const cause = /^error \[session-1\] authentication-required: Not logged in: provider answered 401/;
    for (const { said } of [during, before]) assert.match(said.join('\n'), cause);
    const replied = DiagnosedWire.withSession().prompt().stderr('backend replied with 503');
    replied.answer({ stopReason: 'end_turn' });
    assert.match(replied.said.join('\n'), /failed-turn: .*backend replied with 503/);
    // It explained the turn before.
    before.prompt().answer({ stopReason: 'end_turn' });
    assert.match(before.said.at(-1) ?? '', /empty-turn/);
  });
});
