import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

const version = { role: 'meta', type: 'system.version', version: '2.1.0' };
const call = { type: 'function', id: 'c1', function: { name: 'Bash', arguments: '{"command":"make"}' } };
const calls = { role: 'assistant', content: 'Let me look.', tool_calls: [call] };
const output = 'Error: 401 Unauthorized\n    at run (a.js:1:2)\nERROR: locked\n';
const result = { role: 'tool', tool_call_id: 'c1', content: `${output}Command failed with exit code: 2.` };

function kimi(): StreamWire {
  return new StreamWire((context) => new StreamJsonInterpreter(context)).send(version);
}

describe("Kimi Code's standard error", () => {
  it('says why a turn failed, also while a tool runs', () => {
    const error = 'provider.auth_error: 401 Incorrect API key provided: sk-mock.';
    const { records } = kimi().send(calls).stderr(`error: failed to run prompt: ${error}`).exit(1);
    const [own] = records.filter(({ kind }) => kind === 'stderr');
    assert.deepEqual([own?.level, own?.message], ['error', `failed to run prompt: ${error}`]);
  });

  for (const [when, run] of [
    [
      'before',
      () =>
        output
          .split('\n')
          .reduce((wire, line) => wire.stderr(line), kimi().send(calls))
          .send(result),
    ],
    ['behind', () => output.split('\n').reduce((wire, line) => wire.stderr(line), kimi().send(calls).send(result))],
  ] as const) {
    it(`has what a tool printed, which is no error of Kimi Code, ${when} the tool's result`, () => {
      const { records } = run().quiet();
      const printed = records.filter(({ kind }) => kind === 'stderr');
      assert.deepEqual(
        printed.map(({ level, logger, message }) => [level, logger, message]),
        [
          ['debug', 'tool', 'Error: 401 Unauthorized'],
          ['debug', 'tool', 'at run (a.js:1:2)'],
          ['debug', 'tool', 'ERROR: locked'],
        ],
      );
    });
  }

  it('is read as usual otherwise', () => {
    const { records } = kimi().send(calls).send(result).stderr('ERROR: out of disk space').quiet();
    const [own] = records.filter(({ kind }) => kind === 'stderr');
    assert.deepEqual([own?.level, own?.message], ['error', 'out of disk space']);
  });
});
