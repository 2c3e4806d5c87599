// @ts-check
// Prints what `claude -p PROMPT --output-format stream-json` would: one failing tool and an answer. Starts when its input ends.
const [, , prompt = ''] = process.argv;
const session_id = '0b5b7a2e-2f9b-4c61-9f53-6f1f1c0f3a11';

/** @param {object} event */
function print(event) {
  process.stdout.write(`${JSON.stringify({ ...event, session_id })}\n`);
}

process.stdin.resume().on('end', () => {
  print({
    type: 'system',
    subtype: 'init',
    cwd: '/project',
    model: 'fake-model',
    tools: ['Bash'],
    permissionMode: 'default',
  });
  print({
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: `You said: ${prompt}` },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } },
      ],
    },
  });
  print({
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'Exit code 3\nno tests found' }],
    },
  });
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    num_turns: 2,
    duration_ms: 1200,
    total_cost_usd: 0.01,
  });
});
