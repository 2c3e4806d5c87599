import assert from 'node:assert/strict';
import { hookResult } from '../../../src/agents/reading/hookResult';
import { hookBlock } from '../../../src/work/tools/hookBlock';
import { readSaved } from '../../support/savedRun';

describe('hooks of agents', () => {
  it('take the time that the agent says', () => {
    const [hook] = readSaved('test/fixtures/saved/droid-hooks.jsonl').spans({ kinds: ['hook'] });
    assert.equal((hook?.endedAt ?? 0) - (hook?.startedAt ?? 0), 44);
  });
});

const blocked: readonly (readonly [result: string, name: string, reason: string])[] = [
  ['PreToolUse:Bash hook error: Not on Fridays.', 'PreToolUse:Bash', 'Not on Fridays.'],
  ['PreToolUse:Bash hook error: [if [ -e a ]; then exit 2; fi]: No.\n', 'PreToolUse:Bash', 'No.'],
  ['Error: PreToolUse:mcp__db__query hook error: [./check.sh]: No.', 'PreToolUse:mcp__db__query', 'No.'],
  ['Command blocked by PreToolUse hook: No.. Command: rm -rf build', 'PreToolUse', 'No.'],
  ['Denied by preToolUse hook: No.', 'preToolUse', 'No.'],
  ['Tool execution blocked: No.', 'BeforeTool', 'No.'],
  ['Tool execution blocked by hook', 'BeforeTool', ''],
];

describe('a blocked call', () => {
  for (const [result, name, reason] of blocked) {
    it(`names its hook: ${result}`, () => assert.deepEqual(hookBlock(result), { name, reason }));
  }

  for (const result of [
    'husky - pre-commit hook exited with code 1',
    'The log says: Tool execution blocked: No.',
    'Error: permission denied',
    '',
  ]) {
    it(`has no hook: ${result}`, () => assert.equal(hookBlock(result), undefined));
  }
});

const deny = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'No.' } });
const denied = '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"No."}}}';
type Run = Parameters<typeof hookResult>[1];
const results: readonly (readonly [event: string, run: Run, outcome: string, output: string])[] = [
  ['PreToolUse', { exitCode: 0, stdout: 'fine\n' }, 'ok', 'fine'],
  ['PreToolUse', { exitCode: 2, stderr: 'No.\n' }, 'refused', 'No.'],
  ['PreToolUse', { exitCode: 1, stderr: 'lint: not found' }, 'error', 'lint: not found'],
  ['PreToolUse', { exitCode: 0, stdout: deny }, 'refused', 'No.'],
  ['PermissionRequest', { stdout: denied }, 'refused', 'No.'],
  ['Stop', { exitCode: 0, stdout: '{"decision":"block","reason":"Why?"}' }, 'refused', 'Why?'],
  ['Stop', { exitCode: 0, stdout: '{"continue":false,"stopReason":"Enough."}' }, 'refused', 'Enough.'],
  // The tool has run, and the session has started.
  ['PostToolUse', { exitCode: 2, stderr: 'Not formatted.' }, 'error', 'Not formatted.'],
  ['SessionStart', { exitCode: 2, stderr: 'No.' }, 'error', 'No.'],
  ['Notification', { state: 'cancelled' }, 'cancelled', ''],
  ['PreToolUse', { exitCode: 0, stdout: '{"systemMessage":"Logged."}' }, 'ok', 'Logged.'],
  ['PreToolUse', { exitCode: 0, stdout: '{"suppressOutput":true}' }, 'ok', ''],
];

describe('the result of a hook', () => {
  for (const [event, run, outcome, output] of results) {
    it(`${event} ${JSON.stringify(run)}`, () => {
      const result = hookResult(event, run);
      assert.deepEqual([result.outcome, result.output], [outcome, output]);
    });
  }
});
