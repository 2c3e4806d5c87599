import assert from 'node:assert/strict';
import type { EnglishTermination } from '../../../../src/wire/termination';
import { inEnglishTermination } from '../../../../src/wire/termination';
import type { Protocol } from '../../../../src/wire/protocol';
import { DiagnosedWire } from '../../../support/diagnosedWire';

/** Writes these lines after a request, and exits. */
function ended(
  lines: { readonly stderr?: string; readonly stdout?: string },
  how: { readonly code?: number; readonly signal?: string } = { code: 1 },
  protocol: Protocol = 'acp',
): DiagnosedWire {
  const wire = new DiagnosedWire(protocol).ask('initialize', {});
  for (const line of lines.stderr?.split('\n') ?? []) wire.stderr(line);
  for (const line of lines.stdout?.split('\n') ?? []) wire.stdout(line);
  return wire.process({ ev: 'exit', code: how.code ?? null, signal: how.signal ?? null });
}

/** The cause in English. */
function shown({ diagnoser }: DiagnosedWire): NonNullable<EnglishTermination['cause']> {
  const cause = diagnoser.endCause ?? {};
  return inEnglishTermination({ reason: 'error', terminatedBy: 'agent', cause }).cause ?? {};
}

describe('diagnosis: the cause of an exit', () => {
  it('quotes the line with the reason, not those below it', () => {
    const docker = 'docker: Cannot connect to the Docker daemon. Is it running?';
    const argument = "error: unexpected argument '--acp' found";
    const heap = 'FATAL ERROR: Reached heap limit';
    const panic = 'panic: open a.toml: no such file or directory';
    const texts: [string, string][] = [
      [`${docker}\n\nRun 'docker run --help' for more information`, docker],
      [`${argument}\n\nUsage: agent [OPTIONS]\n\nFor more information, try '--help'.`, argument],
      ["error: unknown option '--frmat'\n(Did you mean --format?)", "error: unknown option '--frmat'"],
      [`${heap}\n----- Native stack trace -----\n 1: 0xca5580 node::Abort() [node]`, heap],
      ['#\n# Fatal process OOM in insufficient memory\n#', 'Fatal process OOM in insufficient memory'],
      [`${panic}\n\nexit status 2`, panic],
      ['error: no key\n      at /a.ts:1:7\n\nBun v1.1.30 (Linux x64)', 'error: no key'],
      ['PHP Fatal error: Uncaught Error: x\n  thrown in /a.php on line 3', 'PHP Fatal error: Uncaught Error: x'],
      ['2026-11-22 05:00:01 ERROR refused: 127.0.0.1\n2026-11-22 05:00:02 INFO no errors, bye', 'refused: 127.0.0.1'],
      ['{"level":"error","message":"no disk"}\n{"level":"info","message":"shutting down"}', 'no disk'],
      ['Error: no disk\nerror Command failed with exit code 1.', 'Error: no disk'],
      ['TypeError: no tool\nUncaught Error: exit code 3 is not allowed', 'Uncaught Error: exit code 3 is not allowed'],
      ['one\ntwo', 'two'],
    ];
    for (const [stderr, what] of texts) {
      const wire = ended({ stderr });
      assert.deepEqual([shown(wire).by, shown(wire).what], ['stderr', what]);
      assert.ok(wire.said.at(-1)?.includes(`Last output: "${what}"`), 'the record says the same');
    }
  });

  it('adds details from the lines below', () => {
    const issue = { code: 'invalid_type', path: ['api', 'key'], message: 'Required' };
    const zod = `ZodError: ${JSON.stringify([issue], undefined, 2)}`;
    const field =
      'acme_key\n  Field required [type=missing, input_value={}]\n    For further information visit https://x';
    const pydantic = `pydantic_core.ValidationError: 1 validation error for Settings\n${field}`;
    const why =
      'Because a was not found in the registry and you\n      require a, your requirements are\n      unsatisfiable.';
    const uv = `  × No solution found when resolving tool dependencies:\n  ╰─▶ ${why}`;
    const reason = 'The promise rejected with the reason "no disk".] {\n  code: 1\n}';
    const rejected = `[UnhandledPromiseRejection: This error originated either by throwing or by rejecting a promise. ${reason}`;
    const texts: [string, string][] = [
      [zod, 'ZodError: api.key: Required'],
      [pydantic, 'pydantic_core.ValidationError: 1 validation error for Settings: acme_key: Field required'],
      [uv, 'Because a was not found in the registry and you require a, your requirements are unsatisfiable'],
      [rejected, 'unhandled rejection: no disk'],
      ['ZodError: [\n  {', 'ZodError: ['],
    ];
    for (const [stderr, what] of texts) assert.equal(shown(ended({ stderr })).what, what);
  });

  it('is found above many fields and in a long structured entry', () => {
    const fields = Array.from({ length: 80 }, (_, i) => `  field${i}: '/usr/lib/${i}',`).join('\n');
    const thrown = `Error: no disk\n    at main (/x/a.js:1:2) {\n${fields}\n}\n\nNode.js v22.14.0`;
    const entry = JSON.stringify({ level: 'error', context: 'x'.repeat(2000), message: 'no disk' });
    assert.equal(shown(ended({ stderr: thrown })).what, 'Error: no disk');
    assert.equal(shown(ended({ stderr: entry })).what, 'no disk');
  });

  it('is taken from stdout if stderr has no reason', () => {
    const printed = ended({ stdout: 'Error: ACME_API_KEY environment variable is not set.' });
    const what = 'Error: ACME_API_KEY environment variable is not set';
    const advice = 'The agent says to set `ACME_API_KEY`: its environment is "env" in its settings.';
    assert.deepEqual(shown(printed), { what, by: 'stdout', advice });
    const said = `before it answered initialize. Output: "${what}". The agent says to set \`ACME_API_KEY\``;
    assert.ok(printed.said.at(-1)?.includes(said));
    const usage = ended({ stdout: 'my-agent [command]\n\nOptions:\n  --help', stderr: '' });
    assert.equal(shown(usage).what, 'my-agent [command]');
    const both = ended({ stdout: 'Error: no disk', stderr: 'starting' });
    assert.deepEqual(shown(both), { what: 'Error: no disk', by: 'stdout' });
    const old = new DiagnosedWire().stdout('Welcome').says({ method: 'x' }).exit(1);
    assert.equal(shown(old).what, undefined, 'messages came after it');
  });

  it('is not reported as junk if it is on stdout before any message', () => {
    const ends = ended({ stdout: 'Usage: my-agent\n  --help' });
    assert.deepEqual(ends.codes, ['agent-ended error']);
    const goesOn = new DiagnosedWire().ask('initialize', {}).stdout('Welcome');
    assert.deepEqual(goesOn.codes, []);
    assert.deepEqual(goesOn.answer({ protocolVersion: 1 }).codes, ['stdout-junk warning']);
    assert.deepEqual(goesOn.data[0]?.evidence, [1]);
    assert.deepEqual(new DiagnosedWire().stdout('Welcome').quiet(2000).codes, ['stdout-junk warning']);
    const fine = new DiagnosedWire('stream-json').stdout('Hello!').exit(0);
    assert.deepEqual(fine.codes, ['stdout-junk warning'], 'nothing else tells of it');
    const many = new DiagnosedWire();
    for (let i = 0; i < 1000; i++) many.stdout('x');
    assert.match(many.exit(0).said.at(-1) ?? '', /\(1000 times/);
  });

  it('explains signals, and ignores unrelated earlier output', () => {
    const killed = ended({ stderr: 'loading weights' }, { signal: 'SIGKILL' });
    const how =
      /: Ended by SIGKILL before it answered initialize: another process killed it\. Usually the out-of-memory/;
    assert.match(killed.first, how);
    assert.equal(shown(ended({}, { signal: 'SIGSEGV' })).what, 'it crashed in native code');
    assert.equal(shown(ended({}, { signal: 'SIGTERM' })).what, 'another process ended it');
    const heap = ended({ stderr: 'FATAL ERROR: JavaScript heap out of memory' }, { signal: 'SIGABRT' });
    const { what, advice } = shown(heap);
    assert.equal(what, 'FATAL ERROR: JavaScript heap out of memory');
    assert.match(advice ?? '', /--max-old-space-size/);
  });

  it('gives advice that fits the last words', () => {
    const advice = (stderr: string): string | undefined => shown(ended({ stderr })).advice;
    assert.match(advice('ACME_KEY missing') ?? '', /The agent says to set `ACME_KEY`/);
    assert.match(advice("error: unknown option '--acp'") ?? '', /Correct its arguments/);
    assert.equal(advice('Not logged in · Please run /login'), 'Log in: the agent says to run `/login`.');
    assert.match(advice('sh: 1: my-agent: not found') ?? '', /^According to its output, `my-agent` was not found/);
    assert.equal(advice('Error: no disk'), undefined);
    assert.match(shown(ended({})).advice ?? '', /^It printed nothing to stderr/);
  });

  it('repeats an error that the stream reported before', () => {
    const wire = new DiagnosedWire('stream-json').process({ ev: 'spawn', pid: 1, command: ['claude'], cwd: '/' });
    wire.send('a2c', { type: 'system', subtype: 'init', session_id: 'session-1', tools: [] });
    const result = { type: 'result', subtype: 'success', is_error: true, session_id: 'session-1' };
    wire.send('a2c', { ...result, result: 'Not logged in · Please run /login' });
    wire.exit(1);
    assert.match(shown(wire).what ?? '', /Not logged in · Please run \/login/);
  });

  it('is empty for a requested exit, and after a restart', () => {
    const asked = new DiagnosedWire().process({ ev: 'stdin-close' }).stderr('Error: x');
    assert.equal(asked.exit(1).diagnoser.endCause, undefined);
    const again = ended({ stderr: 'Error: x' }).process({ ev: 'spawn', pid: 2, command: ['a'], cwd: '/' });
    assert.equal(again.diagnoser.endCause, undefined);
  });
});
