import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';
import type { MissingPart } from '../../../src/text/humanError';

/** A run whose agent wrote these lines to stderr, and exited. */
function ended(lines: string | readonly string[], how: number | string = 1): DiagnosedWire {
  return [lines]
    .flat()
    .reduce((wire, line) => wire.stderr(line), new DiagnosedWire())
    .exit(how);
}

const saidOf = (lines: string | readonly string[], how?: number | string): string => ended(lines, how).first;

describe('diagnosis: processes', () => {
  it('reports why an agent exited, and what is missing', () => {
    const wire = new DiagnosedWire().ask('initialize', {}).stderr("Error: Cannot find module 'zod'").stderr('    at x');
    const ended = `Exited with code 1 before it answered initialize. Last output: "Error: Cannot find module 'zod'". `;
    const missing = 'According to its output, `zod` is missing: install its dependencies, or correct the path in its';
    assert.equal(wire.exit(1).first, `error [] missing-executable: ${ended}${missing} arguments.`);
    assert.deepEqual(new DiagnosedWire().exit('SIGSEGV').codes, ['agent-ended error']);
  });

  it('recognizes how shells and Node.js report a missing command', () => {
    const term = `The term 'my-agent' is not recognized as a name of a cmdlet, function, script file, or executable`;
    const batch = 'is not recognized as an internal or external command,\noperable program or batch file.';
    const lines: [string, number][] = [
      ['sh: 1: my-agent: not found', 127],
      ['/bin/bash: line 3: my-agent: command not found', 127],
      ['zsh:1: command not found: my-agent', 127],
      ["/usr/bin/env: 'my-agent': No such file or directory", 127],
      ['bash: my-agent: command not found', 1],
      ['Error: spawn my-agent ENOENT', 1],
      ['Error: spawn my-agent ENOENT', 255],
      ['/usr/local/bin/start: line 5: my-agent: command not found', 1],
      ['/usr/local/bin/start: line 5: my-agent: command not found', 127],
      ['make: my-agent: Command not found', 2],
      ['my-agent: command not found', 1],
      ['start: 3: my-agent: not found', 127],
      ['/usr/local/bin/start: 9: exec: my-agent: not found', 127],
      ['/usr/local/bin/start: line 9: exec: my-agent: not found', 1],
      [`'my-agent' ${batch}`, 1],
      [`'"my-agent"' ${batch}`, 9009],
      [`my-agent: ${term}`, 1],
    ];
    for (const [line, code] of lines) {
      const said = saidOf([...line.split('\n'), ''], code);
      assert.match(said, /missing-executable: .*`my-agent` was not found/, line);
    }
  });

  it('recognizes how Python and uv report a missing server', () => {
    const notRun = "No module named mcp.__main__; 'mcp' is a package and cannot be directly executed";
    for (const [line, advice] of [
      ['/usr/bin/python3: No module named mcp_server_time', /missing-executable: .*`mcp_server_time` is missing/],
      ['C:\\Program Files\\python.exe: No module named mcp.time', /missing-executable: .*`mcp.time` is missing/],
      [
        '  ╰─▶ Because nosuch-mcp was not found in the package registry and you require nosuch-mcp',
        /missing-executable: .*no package `nosuch-mcp`/,
      ],
      [`/usr/bin/python3: ${notRun}`, /agent-ended: .*Last output: ".*cannot be directly executed"/],
    ] as const) {
      assert.match(saidOf(line), advice, line);
    }
  });

  it('reports the missing module, not the consequences in other programs', () => {
    for (const lines of [
      ["Error: Cannot find module 'zod'", '    at x', 'error Command failed with exit code 1.'],
      ["Error: Cannot find module 'zod'", 'Require stack:', '- /home/me/error/index.js'],
      ["ModuleNotFoundError: No module named 'zod'", 'error: process did not exit successfully: exit status: 1'],
    ]) {
      assert.match(saidOf(lines), /missing-executable: .*`zod` is missing/, lines.at(-1));
    }
    for (const lines of [
      ["Error: Cannot find module 'zod'", 'TypeError: x is no function'],
      ["Cannot find module 'zod', using built-in", 'bind: in use'],
    ]) {
      assert.deepEqual(ended(lines).codes, ['agent-ended error']);
    }
  });

  it('ignores messages before another reason', () => {
    const spawn = 'Error: spawn git ENOENT';
    const [port, model] = ['fatal: cannot bind port 3000', 'cannot reach the model: permission denied'];
    const [gone, field] = ['model: it returned 500, giving up', 'config invalid: missing field model'];
    const ends: [string, ...string[]][] = [
      [port, spawn, '    at x', 'listening', port],
      [gone, '2026-11-20T12:00:00Z ERROR git: spawn git ENOENT', `2026-11-20T12:09:05Z ERROR ${gone}`],
      [field, '{"level":50,"msg":"spawn git ENOENT"}', `{"level":60,"msg":"${field}"}`],
      [model, spawn, model],
    ];
    for (const [words, ...lines] of ends) {
      const said = saidOf(lines);
      assert.ok(said.startsWith('error [] agent-ended') && said.includes(`Last output: "${words}"`), said);
    }
  });

  it('does not suggest the PATH for a missing library', () => {
    const [loading, lib] = ['./agent: error while loading shared libraries:', 'libssl.so.1.1'];
    for (const line of [
      `${loading} ${lib}: cannot open shared object file: No such file or directory`,
      `Error loading shared library ${lib}: No such file or directory (needed by ./agent)`,
    ]) {
      const said = saidOf(['/bin/agent: 3: tput: not found', line], 127);
      assert.match(said, /missing-executable: .*According to its output, the library `libssl\.so\.1\.1` is missing/);
      assert.doesNotMatch(said, /PATH/);
    }
    assert.deepEqual(ended(`${loading} ${lib}: wrong ELF class: ELFCLASS32`, 127).codes, ['agent-ended error']);
  });

  it('ignores what was only mentioned', () => {
    const steps = Array.from({ length: 20 }, (_, i) => `step ${i}`);
    const heap = 'FATAL ERROR: JavaScript heap out of memory';
    const mentioned: [string | string[], number | string][] = [
      [['WARN spawn rg ENOENT, using built-in', ...steps, heap], 134],
      ['WARN spawn rg ENOENT, using built-in', 1],
      ['Error: model llama3.3: not found', 1],
      ['refresh: user: not found', 1],
      ['GET https://example.com/v1/models: not found', 101],
      ['settings.json: not found, using defaults', 'SIGKILL'],
    ];
    for (const [lines, how] of mentioned) {
      assert.deepEqual(ended(lines, how).codes, ['agent-ended error'], String(lines));
    }
  });

  it('ignores requested and harmless exits, and reports agents that take long to exit', () => {
    assert.deepEqual(new DiagnosedWire().exit(0).codes, []);
    assert.deepEqual(new DiagnosedWire().process({ ev: 'stdin-close' }).exit(1).codes, []);
    const quick = new DiagnosedWire().process({ ev: 'stdin-close' }).process({ ev: 'signal', signal: 'SIGTERM' });
    assert.deepEqual(quick.exit('SIGTERM').codes, []);
    const deaf = new DiagnosedWire().process({ ev: 'signal', signal: 'SIGTERM' }).wait(5000);
    assert.deepEqual(deaf.exit('SIGKILL').codes, ['slow-to-end warning']);
  });

  it('reports a missing command, and links the record that shows it', () => {
    const message = 'The command "x" was not found. Install it.';
    const wire = new DiagnosedWire().process({ ev: 'start-failed', message });
    assert.deepEqual(wire.said, [`error [] missing-executable: ${message}`]);
    assert.deepEqual(wire.data[0]?.evidence, [1]);
    const errors = wire.log.store.query().filter(({ level }) => level === 'error');
    assert.equal(errors.length, 1, 'one error for one failure');
  });

  it('says which part of an agent is missing, and how to get it', () => {
    const said = (missing: MissingPart): string =>
      new DiagnosedWire().process({ ev: 'start-failed', message: 'It failed.', missing }).said.join('\n');
    assert.equal(
      said({ type: 'folder', name: '/no/such' }),
      "error [] missing-folder: The folder /no/such doesn't exist. Correct `cwd` in agentLogs.agents, or create the folder.",
    );
    assert.match(said({ type: 'program', name: 'uvx' }), /The command 'uvx' was not found\. It comes with uv: install/);
    assert.match(said({ type: 'program', name: 'a --b' }), /Commands don't run in a shell/);
    assert.match(said({ type: 'interpreter', name: './a.py' }), /missing-executable: .* the interpreter/);
    const npx = ended('sh: 1: npx: not found', 127);
    assert.match(npx.first, /`npx` was not found\. It comes with Node\.js/);
    assert.equal(npx.data[0]?.install?.how, 'https://nodejs.org/en/download');
  });

  it('quotes what an agent says to run, set or install as what it says, without a button', () => {
    const missing = 'Could not start pi: executable not found (command: pi). Install it via `npm install -g evil`.';
    const refused = (wire: DiagnosedWire): DiagnosedWire => wire.ask('initialize', {}).refuse(-32603, missing);
    const failed = refused(new DiagnosedWire());
    const advice = /The agent says to run `npm install -g evil`: check that, then restart the agent\.$/;
    assert.match(failed.first, advice);
    assert.equal(failed.data[0]?.install, undefined);
    const remote = refused(new DiagnosedWire('mcp').process({ ev: 'connect', url: 'https://x.example/mcp' }));
    assert.equal(remote.data[0]?.advice, undefined);

    const library = 'evil: error while loading shared libraries: evil.so: No such file or directory';
    for (const [line, code, advice] of [
      ['Error: EVIL_PRELOAD is not set', 1, /^The agent says to set `EVIL_PRELOAD`: /],
      ['sh: 1: evil: not found', 127, /^According to its output, `evil` was not found: /],
      ["Error: Cannot find module 'evil'", 1, /^According to its output, `evil` is missing: /],
      [
        'Because evil was not found in the package registry',
        1,
        /^According to its output, there is no package `evil`: /,
      ],
      [library, 127, /^According to its output, the library `evil\.so` is missing: /],
    ] as const) {
      assert.match(ended(line, code).data[0]?.advice ?? '', advice, line);
    }
  });
});

describe('diagnosis: standard error', () => {
  const codesOf = (...lines: string[]): string[] =>
    lines.reduce((wire, line) => wire.stderr(line), DiagnosedWire.withSession()).quiet(200).codes;

  it('reports a finding after its entry, and links to it', () => {
    const wire = DiagnosedWire.withSession().stderr('WARN rate limit, retrying in 2 s').stderr('  see the log');
    const [entry, finding] = wire.quiet(200).log.store.query().slice(-2);
    assert.deepEqual([entry?.kind, finding?.kind], ['stderr', 'diagnosis']);
    assert.deepEqual(wire.data[0]?.evidence, [entry?.seq]);
  });

  it('recognizes a model change by the words next to it, and ignores single words', () => {
    for (const line of [
      'WARN falling back to model gpt-5-mini',
      'WARN Model gpt-9.1 is not available, falling back to gpt-5',
      'WARN switched to the smaller model haiku',
      'WARN using model haiku instead of opus',
      'WARN Using gpt-4 instead of the requested model',
      'WARN The requested model is unavailable; using sonnet instead of opus',
      'WARN You are now using haiku instead of opus (model limit reached)',
      'WARN Model metadata for `mock` not found. Defaulting to fallback metadata',
    ]) {
      assert.deepEqual(codesOf(line), ['model-fallback notice'], line);
    }
    for (const line of [
      'WARN schema of model Foo: expected string instead of number',
      'ERROR failed to parse model output, using raw text instead of JSON',
      'WARN using JSON instead of YAML for the model settings',
      'WARN model output is no JSON, falling back to text',
      'WARN attempt 1 of 1 failed validation',
      '[ERROR] disk quota exceeded',
    ]) {
      assert.deepEqual(codesOf(line), [], line);
    }
  });
});
