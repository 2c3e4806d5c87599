import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

function run(wire: DiagnosedWire, id: string, command: string, exitCode: number, output = ''): DiagnosedWire {
  const call = { toolCallId: id, title: command, kind: 'execute', rawInput: { command } };
  wire.update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
  const ended = { toolCallId: id, status: 'completed', rawOutput: { exitCode, output } };
  return wire.update({ sessionUpdate: 'tool_call_update', ...ended });
}

function ask(wire: DiagnosedWire): DiagnosedWire {
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const params = { sessionId: 'session-1', toolCall: { toolCallId: '9', title: 'rm -rf dist' }, options };
  return wire.asks(99, 'session/request_permission', params);
}

const allow = (wire: DiagnosedWire): DiagnosedWire =>
  wire.reply(99, { outcome: { outcome: 'selected', optionId: 'yes' } });

/** A turn whose tests fail. */
const begun = (): DiagnosedWire => run(DiagnosedWire.withSession().prompt(), '1', 'npm test', 1);

describe('diagnosis: tools that failed during a turn', () => {
  it('is a notice if the command succeeded later', () => {
    const wire = begun();
    run(wire, '2', 'CI=1 npm test --silent', 0).chunk('All done.').end();
    assert.deepEqual(wire.said, [
      'notice [session-1] tool-failed: `npm test` exited with code 1, but the agent marked it completed (dealt with later in the turn).',
    ]);
  });

  it('is one problem with all its records, and one notice for the rest', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (const [i, command] of ['npm run a', 'npm run b', 'npm run c', 'npm run d'].entries()) {
      run(wire, `${i}`, command, 1);
    }
    run(wire, '5', 'npm run d', 0).chunk('All done.').end();
    const [failed, repeated, ...others] = wire.said.map((said) => said.replace(/^(\w+) .*?: /, '$1: '));
    const commands = ['a', 'b', 'c'].map((name) => `\`npm run ${name}\` (exit 1)`).join(', ');
    const advice = 'The agent neither repeated them nor said that they failed: check its work.';
    assert.equal(failed, `warning: 3 commands failed and weren't repeated: ${commands}. ${advice}`);
    assert.match(repeated ?? '', /^notice: `npm run d` exited with code 1, .* \(dealt with later in the turn\)\.$/);
    assert.deepEqual([others, wire.data[0]?.evidence.length], [[], 3]);
  });

  it('is the consequence of a turn that failed, was cut short or was cancelled', () => {
    const cut = begun().answer({ stopReason: 'max_tokens' });
    assert.deepEqual(cut.codes, ['turn-cut-short warning', 'tool-failed notice']);
    assert.deepEqual(begun().refuse(-32603, 'Internal error').codes, ['failed-turn error', 'tool-failed notice']);
    const cancelled = begun().cancel();
    assert.deepEqual(cancelled.answer({ stopReason: 'cancelled' }).codes, ['tool-failed notice']);
  });

  it('is told while the turn waits for the user for minutes, and settled if it was dealt with', () => {
    const wire = ask(begun()).quiet(60_000);
    assert.deepEqual(wire.about('tool'), []);
    wire.quiet(300_000);
    assert.deepEqual(wire.about('tool'), ['tool-failed warning']);
    run(allow(wire), '2', 'npm test', 0).chunk('All done.').end();
    assert.deepEqual(wire.about('tool'), ['tool-failed warning', 'tool-failed notice']);
    assert.equal(wire.data.at(-1)?.settles?.length, 1);
  });

  it('is told once if it was told while the turn waited', () => {
    const wire = ask(begun()).quiet(400_000);
    allow(wire).chunk('All done.').end();
    assert.deepEqual(wire.about('tool'), ['tool-failed warning']);
  });

  it('is told at the end of a recording', () => {
    const wire = begun();
    wire.diagnoser.finish(1e6);
    assert.deepEqual(wire.codes, ['tool-failed warning']);
  });
});
