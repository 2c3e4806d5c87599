import assert from 'node:assert/strict';
import { diagnosedInterpreter } from '../../../src/diagnosis/diagnosedInterpreter';
import { RecordStore } from '../../../src/log/store/store';
import { RunLog } from '../../../src/runs/runLog';
import { DiagnosedWire } from '../../support/diagnosedWire';

/** The records of tools that these lines have. */
function toolRecords(protocol: string, lines: readonly object[]): string[] {
  const log = new RunLog(new RecordStore(1e7), 0);
  const interpreter = diagnosedInterpreter(protocol, log);
  for (const [t, msg] of lines.entries()) interpreter.accept({ t, dir: 'a2c', line: JSON.stringify(msg), msg });
  return log.store
    .query({})
    .filter(({ logger }) => logger === 'tool')
    .map(({ level, message }) => `${level} ${message}`);
}

describe('work: outcomes', () => {
  it('takes the exit code of an OpenCode tool from either field, in the stream and in the saved session', () => {
    for (const metadata of [{ exitCode: 2 }, { exit: 2 }]) {
      const state = { status: 'completed', input: { command: 'make' }, output: 'no', metadata };
      const part = { type: 'tool', tool: 'bash', callID: 'c', messageID: 'm', id: 'p', sessionID: 'ses_1', state };
      const streamed = toolRecords('stream-json', [{ type: 'tool_use', sessionID: 'ses_1', timestamp: 1, part }]);
      assert.deepEqual(streamed, ['warning bash: make (failed, exit 2): no']);
      const saved = toolRecords('saved', [
        { type: 'opencode.session', session: { id: 'ses_1' } },
        { type: 'opencode.message', message: { id: 'm', sessionID: 'ses_1', role: 'assistant' } },
        { type: 'opencode.part', part },
      ]);
      assert.match(saved.at(-1) ?? '', /^warning bash: make \(failed, exit 2[,)]/);
    }
  });

  it('shows the exit code of a Gemini tool in its record', () => {
    const timestamp = '2026-11-20T12:00:00.000Z';
    const event = { type: 'tool_result', timestamp, tool_id: 'a', status: 'error', output: 'no', exit_code: 2 };
    const init = { type: 'init', timestamp, session_id: '0123456789abcdef', model: 'gemini-3' };
    const use = { type: 'tool_use', timestamp, tool_name: 'shell', tool_id: 'a', parameters: { command: 'make' } };
    const records = toolRecords('stream-json', [init, use, event]);
    assert.match(records.at(-1) ?? '', /^warning shell: make \(failed, exit 2/);
  });

  it('names the cause of an empty turn that the agent printed to stderr, during the turn or since the one before', () => {
    const line = 'provider answered 401, giving up';
    const during = DiagnosedWire.withSession().prompt().stderr(line).answer({ stopReason: 'end_turn' });
    const before = DiagnosedWire.withSession().stderr(line).prompt().answer({ stopReason: 'end_turn' });
    for (const { said } of [during, before]) {
      assert.match(
        said.join('\n'),
        /^error \[session-1\] authentication-required: Not logged in: provider answered 401/,
      );
    }
    const replied = DiagnosedWire.withSession()
      .prompt()
      .stderr('backend replied with 503')
      .answer({ stopReason: 'end_turn' });
    assert.match(replied.said.join('\n'), /failed-turn: .*backend replied with 503/);
    // It explained the turn before.
    before.prompt().answer({ stopReason: 'end_turn' });
    assert.match(before.said.at(-1) ?? '', /empty-turn/);
  });
});
