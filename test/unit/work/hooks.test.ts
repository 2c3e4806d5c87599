import assert from 'node:assert/strict';
import { join } from 'node:path';
import { hookResult } from '../../../src/agents/reading/hookResult';
import type { Span } from '../../../src/timeline/span';
import { hookBlock } from '../../../src/work/tools/hookBlock';
import { recordedSpans } from '../../support/recordedSpans';
import { readSaved } from '../../support/savedRun';

/** `turn > tool > PreToolUse:Bash: refused`: hooks, with the kinds of what they are part of. */
function hooksOf(spans: readonly Span[]): readonly string[] {
  const above = ({ parent }: Span): string => {
    const span = spans.find(({ id }) => id === parent);
    return span ? `${above(span)}${span.kind} > ` : '';
  };
  return spans
    .filter(({ kind }) => kind === 'hook')
    .map((span) => `${above(span)}${span.title}: ${span.outcome ?? ''}`);
}

/** Real agents with hooks: before tools, one blocks the tests; before the end, one wants more. */
const recordings: readonly (readonly [file: string, ...hooks: readonly string[]])[] = [
  [
    'streams/claude-hooks.ndjson',
    'SessionStart:startup: ok',
    'UserPromptSubmit: ok',
    'turn > PreToolUse:Bash: ok',
    'turn > PreToolUse:Bash: error',
    'turn > PostToolUse:Bash: ok',
    'turn > PreToolUse:Bash: refused',
    'turn > PreToolUse:Bash: error',
    'turn > Stop: refused',
    'turn > Stop: ok',
  ],
  [
    'saved/claude-hooks.jsonl',
    'SessionStart:startup: ok',
    'turn > UserPromptSubmit: ok',
    'turn > tool > PreToolUse:Bash: error',
    'turn > tool > PostToolUse:Bash: ok',
    'turn > tool > PreToolUse:Bash: error',
    'turn > tool > PreToolUse:Bash: refused',
    'turn > Stop: refused',
    'turn > Stop: ok',
  ],
  ['streams/claude-blocked.ndjson', 'UserPromptSubmit: refused'],
  ['saved/claude-blocked.jsonl', 'turn > UserPromptSubmit: refused'],
  [
    'saved/codex-hooks.jsonl',
    'turn > hook: ok',
    'turn > hook: ok',
    'turn > tool > PreToolUse: refused',
    'turn > stop: refused',
  ],
  [
    'saved/copilot-hooks.jsonl',
    'sessionStart: ok',
    'userPromptSubmitted: ok',
    'turn > tool > preToolUse: ok',
    'turn > postToolUse: error',
    'turn > tool > preToolUse: refused',
    'agentStop: refused',
    'userPromptSubmitted: ok',
    'agentStop: ok',
    'sessionEnd: ok',
  ],
  [
    'saved/droid-hooks.jsonl',
    'SessionStart:startup: ok',
    'turn > tool > PreToolUse:Execute: ok',
    'turn > tool > PreToolUse:Execute: error',
    'turn > tool > PostToolUse:Execute: ok',
    'turn > tool > PreToolUse:Execute: refused',
    'turn > tool > PreToolUse:Execute: error',
    'turn > Stop: refused',
    'turn > Stop: ok',
  ],
  [
    'streams/gemini-hooks.ndjson',
    'turn > tool > BeforeTool: refused',
    'turn > tool > BeforeTool: refused',
    'turn > AfterAgent: refused',
  ],
  ['streams/gemini-blocked.ndjson', 'turn > BeforeAgent: refused'],
  [
    'saved/gemini-hooks.jsonl',
    'turn > BeforeAgent: ok',
    'turn > tool > BeforeTool: refused',
    'turn > tool > BeforeTool: refused',
    'turn > BeforeAgent: ok',
  ],
  ['streams/kimi-hooks.ndjson', 'turn > UserPromptSubmit: ok'],
  ['streams/kimi-blocked.ndjson', 'turn > UserPromptSubmit: refused'],
  ['saved/kimi-hooks.jsonl', 'UserPromptSubmit: ok', 'turn > Stop: refused'],
  ['saved/kimi-blocked.jsonl', 'UserPromptSubmit: refused'],
  ['saved/qwen-hooks.jsonl', 'turn > UserPromptSubmit: ok', 'turn > tool > PreToolUse: refused'],
  ['saved/vscode-questions.jsonl', 'turn > PreToolUse:Deploy: refused'],
];

describe('hooks of agents', () => {
  for (const [file, ...hooks] of recordings) {
    it(`are steps in ${file}`, () => {
      const path = join('test/fixtures', file);
      const spans = file.startsWith('saved') ? readSaved(path).spans() : recordedSpans(path, 'stream-json');
      assert.deepEqual(hooksOf(spans), hooks);
    });
  }

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
const results: readonly (readonly [
  event: string,
  run: Parameters<typeof hookResult>[1],
  outcome: string,
  output: string,
])[] = [
  ['PreToolUse', { exitCode: 0, stdout: 'fine\n' }, 'ok', 'fine'],
  ['PreToolUse', { exitCode: 2, stderr: 'No.\n' }, 'refused', 'No.'],
  ['PreToolUse', { exitCode: 1, stderr: 'lint: not found' }, 'error', 'lint: not found'],
  ['PreToolUse', { exitCode: 0, stdout: deny }, 'refused', 'No.'],
  [
    'PermissionRequest',
    { stdout: '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"No."}}}' },
    'refused',
    'No.',
  ],
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
