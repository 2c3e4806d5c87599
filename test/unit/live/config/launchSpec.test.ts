import { inEnglish } from '../../../../src/text/translator';
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { agentDefinitions } from '../../../../src/live/config/agentDefinition';
import { nameOfCommand, splitCommandLine } from '../../../../src/live/config/commandLine';
import type { AgentDefinition, LaunchContext, RemoteDefinition } from '../../../../src/live/config/launchSpec';
import { inputsOf, launchSpec, runSpec, unsetVariables } from '../../../../src/live/config/launchSpec';
import { column, rowsOf } from '../../../support/columns';

const agent: AgentDefinition = { name: 'A', protocol: 'acp', command: 'my-agent', args: [], env: {} };
const context: LaunchContext = { workspaceFolder: '/ws', userHome: '/home/me', env: { PATH: '/bin', TOKEN: 't' } };

describe('launch spec', () => {
  it('substitutes variables everywhere', () => {
    const args = ['--in', '${workspaceFolder}/x', '${env:TOKEN}${env:NONE}'];
    const own = { command: '${userHome}/bin/agent', args, env: { A: '${env:TOKEN}' }, cwd: 'sub' };
    const spec = launchSpec({ ...agent, ...own }, context);
    const env = { PATH: '/bin', TOKEN: 't', A: 't' };
    const expected = { command: '/home/me/bin/agent', args: ['--in', '/ws/x', 't'], env, cwd: resolve('/ws/sub') };
    assert.deepEqual(spec, expected);
  });

  it('starts in the workspace folder, or at home without one', () => {
    assert.equal(launchSpec(agent, context).cwd, resolve('/ws'));
    assert.equal(launchSpec(agent, { ...context, workspaceFolder: undefined }).cwd, resolve('/home/me'));
  });

  const itOnWindows = process.platform === 'win32' ? it : (): void => undefined;
  itOnWindows('keeps drive letters, shares and backslashes of Windows paths', () => {
    const at = (workspaceFolder: string, cwd?: string): unknown => {
      const given = { ...agent, args: ['${workspaceFolder}\\x'], ...(cwd !== undefined && { cwd }) };
      const spec = launchSpec(given, { ...context, workspaceFolder });
      return [spec.cwd, ...spec.args];
    };
    assert.deepEqual(at('D:\\ws', 'sub/dir'), ['D:\\ws\\sub\\dir', 'D:\\ws\\x']);
    assert.deepEqual(at('D:\\ws', '\\tools'), ['D:\\tools', 'D:\\ws\\x']);
    assert.deepEqual(at('\\\\server\\share\\ws'), ['\\\\server\\share\\ws', '\\\\server\\share\\ws\\x']);
    assert.deepEqual(at('D:\\ws', '${workspaceFolder}/../other'), ['D:\\other', 'D:\\ws\\x']);
  });

  it('expands ~ in a pasted command and folder', () => {
    const { command, cwd, args } = launchSpec({ ...agent, command: '~/bin/a', cwd: '~', args: ['~/x'] }, context);
    assert.deepEqual([command, cwd, args], ['/home/me/bin/a', resolve('/home/me'), ['~/x']]);
  });

  it('reports unset variables', () => {
    const own = { ...agent, args: ['${env:TOKEN}', '${env:NONE}'], env: { A: '${env:NONE}', B: '${env:OTHER}' } };
    assert.match(inEnglish(unsetVariables(own, context.env)!), /^The variables NONE, OTHER aren't set in VS Code's/);
    assert.equal(unsetVariables({ ...agent, args: ['${env:TOKEN}', '${input:x}'] }, context.env), undefined);
  });

  it('asks for inputs by any name', () => {
    const asking = { ...agent, args: ['${input:Say "it"}', '${input:a\\b}', '${input:Say "it"}'] };
    assert.deepEqual(inputsOf(asking), ['Say "it"', 'a\\b']);
    const inputs = { 'Say "it"': 'say "hi"', 'a\\b': 'x' };
    assert.deepEqual(launchSpec(asking, { ...context, inputs }).args, ['say "hi"', 'x', 'say "hi"']);
  });

  it("removes variables, and keeps VS Code's own out", () => {
    const env = { ...context.env, VSCODE_PID: '1', ELECTRON_X: '1', NODE_OPTIONS: '--inspect' };
    const spec = launchSpec({ ...agent, env: { TOKEN: null, ELECTRON_RUN_AS_NODE: '1' } }, { ...context, env });
    assert.deepEqual(spec.env, { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' });
  });

  it('reports invalid variables', () => {
    const without = { ...context, workspaceFolder: undefined };
    assert.throws(() => launchSpec({ ...agent, args: ['${workspaceFolder}'] }, without), /no folder is open/);
    const unknown = { name: 'HumanError', message: /unknown variable \$\{file\}/ };
    assert.throws(() => launchSpec({ ...agent, args: ['${file}'] }, context), unknown);
    assert.throws(() => launchSpec({ ...agent, command: '${env:NONE}' }, context), /has no `command`/);
  });
});

describe('connection settings', () => {
  const remote = { name: 'R', protocol: 'mcp', url: 'https://${env:HOST}/mcp', headers: {} } as const;
  const env = { HOST: 'example.com', TOKEN: 'abc\n', NAMED: 'me@example.com', BAD: 'a\nb' };
  const here = { ...context, env };

  it('substitute variables in the login settings', () => {
    const own = { clientId: 'me', grant: 'client_credentials' } as const;
    const oauth = { ...own, clientSecret: '${env:TOKEN}', scope: '${env:NONE}' };
    const spec = runSpec({ ...remote, oauth }, here);
    assert.deepEqual('oauth' in spec && spec.oauth, { ...own, clientSecret: 'abc' });
  });

  it('accept an "oauth" with enough to log in', () => {
    const grant = 'client_credentials';
    for (const [oauth, reason] of [
      [{ clientId: 'me' }, undefined],
      [{ scope: 'read' }, undefined],
      [{ grant, clientId: 'me', privateKey: 'k' }, undefined],
      ['x', /must be an object of strings/],
      [{ clientId: 1 }, /must be an object of strings/],
      [{ grant: 'password' }, /`oauth\.grant` must be/],
      [{ clientSecret: 's' }, /requires a `clientId`/],
      [{ grant, clientId: 'me' }, /requires a `clientSecret`/],
    ] as const) {
      const [problem] = agentDefinitions({ A: { protocol: 'mcp', url: 'https://x/mcp', oauth } }).problems;
      if (reason) assert.match(problem ? inEnglish(problem.reason) : '', reason);
      else assert.equal(problem, undefined);
    }
  });

  it('substitute variables in the URL and the headers', () => {
    const spec = runSpec({ ...remote, headers: { Authorization: 'Bearer ${env:TOKEN}' } }, here);
    assert.deepEqual(spec, { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc' }, cwd: '/ws' });
  });

  it('are rejected if invalid, without showing their secrets', () => {
    const refused = (change: Partial<RemoteDefinition>, pattern: RegExp): void =>
      assert.throws(() => runSpec({ ...remote, ...change }, here), pattern);
    refused({ url: '${env:NONE}' }, /The `url` of 'R' must begin with http/);
    refused({ url: 'https://${env:NAMED}/mcp' }, /contains a user name or password\. Set `Authorization` in `headers`/);
    refused({ headers: { 'X Y': 'z' } }, /the header 'X Y', which HTTP doesn't allow/);
    refused({ headers: { A: '${env:BAD}' } }, /^(?!.*a\nb).*the header 'A', which HTTP doesn't allow/s);
  });
});

describe('agentLogs.agents', () => {
  it('accepts entries of other ACP clients unchanged', () => {
    const entry = { command: 'gemini', args: ['--acp'], env: {} };
    const { agents, problems } = agentDefinitions({ Gemini: { ...entry, someField: true } });
    assert.deepEqual([agents, problems], [[{ name: 'Gemini', protocol: 'acp', ...entry }], []]);
  });

  it('skips invalid entries, and says what to correct', () => {
    const { agents, problems } = agentDefinitions({
      good: { command: 'x', level: 'debug', cwd: '/y', env: { A: null } },
      text: 'x',
      noCommand: { args: [] },
      args: { command: 'x', args: 'y' },
      env: { command: 'x', env: { A: 1 } },
      cwd: { command: 'x', cwd: 1 },
      level: { command: 'x', level: 'warn' },
      protocol: { command: 'x', protocol: 'dap' },
      settings: { command: 'x', protocol: 'lsp', settings: [] },
      options: { command: 'x', protocol: 'acp', initializationOptions: {} },
      lspUrl: { url: 'http://x', protocol: 'lsp' },
      both: { command: 'x', url: 'http://x/mcp', protocol: 'mcp' },
      acpUrl: { url: 'http://x/mcp' },
      ftp: { url: 'ftp://x', protocol: 'mcp' },
      headers: { url: 'http://x', protocol: 'mcp', headers: { A: 1 } },
      strayHeaders: { command: 'x', protocol: 'mcp', headers: { A: 'b' } },
      neither: { protocol: 'mcp' },
    });
    assert.deepEqual(column(agents, 'name'), ['good']);
    assert.deepEqual(rowsOf(problems, 'agent', 'field'), [
      ...['text -', 'noCommand command', 'args args', 'env env', 'cwd cwd', 'level level', 'protocol protocol'],
      ...['settings settings', 'options initializationOptions', 'lspUrl url', 'both command', 'acpUrl url', 'ftp url'],
      ...['headers headers', 'strayHeaders headers', 'neither command'],
    ]);
    for (const { agent, message } of problems) assert.match(inEnglish(message), new RegExp(`\\["${agent}"\\]: \\S`));
  });

  it('gives MCP servers only to ACP agents', () => {
    const { agents, problems } = agentDefinitions({
      plain: { command: 'x' },
      no: { command: 'x', mcpServers: false },
      pass: { command: 'x', mcpServers: true },
      watch: { command: 'x', mcpServers: 'watch' },
      wrong: { command: 'x', mcpServers: [] },
      stream: { command: 'x', protocol: 'stream-json', mcpServers: true },
    });
    const passed = agents.map((agent) => 'mcpServers' in agent && agent.mcpServers);
    assert.deepEqual(passed, [false, false, 'pass', 'watch']);
    assert.deepEqual(rowsOf(problems, 'agent', 'field'), ['wrong mcpServers', 'stream mcpServers']);
  });

  it('accepts MCP servers, as processes and over HTTP', () => {
    const { agents, problems } = agentDefinitions({
      Local: { protocol: 'mcp', command: 'server', level: 'debug' },
      Remote: { protocol: 'mcp', url: 'https://x/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      Variable: { protocol: 'mcp', url: '${env:URL}' },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(agents, [
      { name: 'Local', protocol: 'mcp', command: 'server', args: [], env: {}, level: 'debug' },
      { name: 'Remote', protocol: 'mcp', url: 'https://x/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      { name: 'Variable', protocol: 'mcp', url: '${env:URL}', headers: {} },
    ]);
  });

  it('accepts language servers with their settings', () => {
    const { agents, problems } = agentDefinitions({
      Q: { protocol: 'lsp', command: 'q', initializationOptions: { a: 1 }, settings: { b: '${level}' } },
      Plain: { protocol: 'lsp', command: 'p' },
    });
    assert.deepEqual(problems, []);
    const settings = agents.map((agent) => 'lsp' in agent && agent.lsp);
    assert.deepEqual(settings, [{ initializationOptions: { a: 1 }, settings: { b: '${level}' } }, {}]);
  });

  it('accepts recorded runs, with the options of `agent-logs replay`', () => {
    const entry = { replay: 'run.ndjson', args: ['--loose'], level: 'debug' };
    const agents = [{ name: 'Recorded', ...entry }];
    assert.deepEqual(agentDefinitions({ Recorded: entry }), { agents, problems: [], hints: [] });
    for (const [fields, message] of [
      [{ replay: ' ' }, "Set `replay` to the file of a run, or to the end of a run's ID."],
      [{ replay: 'a', command: 'b' }, 'Set either `replay` or `command`, not both.'],
      [{ replay: 'a', url: 'http://b' }, 'Set either `replay` or `url`, not both.'],
      [{ replay: 'a', protocol: 'mcp' }, 'Remove `protocol`: that of the recording is used.'],
      [{ replay: 'a', args: '--loose' }, '`args` must be a list of strings.'],
    ] as const) {
      const [problem] = agentDefinitions({ Recorded: fields }).problems;
      assert.equal(problem && inEnglish(problem.reason), message);
    }
  });

  it('treats missing settings as no agents, and anything but an object as a mistake', () => {
    assert.deepEqual(agentDefinitions(undefined), { agents: [], problems: [], hints: [] });
    assert.equal(agentDefinitions([]).problems.length, 1);
  });
});

describe('command line', () => {
  it('splits words like a shell, without a shell', () => {
    assert.deepEqual(splitCommandLine('npx -y  my-agent --acp', 'linux'), ['npx', '-y', 'my-agent', '--acp']);
    const words = ['a bc d', 'e f', '', 'q"r', '$X|y'];
    assert.deepEqual(splitCommandLine(`"a b"'c d' e\\ f "" "q\\"r" $X|y`, 'linux'), words);
    assert.deepEqual(splitCommandLine('C:\\bin\\agent.exe "C:\\a b\\"', 'win32'), ['C:\\bin\\agent.exe', 'C:\\a b\\']);
  });

  it('requires closing quotes', () => {
    assert.equal(splitCommandLine('a "b', 'linux'), undefined);
    assert.deepEqual(splitCommandLine('  ', 'linux'), []);
  });
});

describe('the name of a command', () => {
  const names: readonly (readonly [string, string])[] = [
    ['my-agent --acp', 'my-agent'],
    ['/usr/bin/opencode acp', 'opencode'],
    ['node --enable-source-maps /home/me/my-agent.mjs --verbose', 'my-agent'],
    ['npx -y @scope/some-server@1.2.3 stdio', 'some-server'],
    ['uv run agent.py', 'agent'],
    ['python3 -m', 'python3'],
  ];
  for (const [line, name] of names) {
    it(`is "${name}" for \`${line}\``, () => {
      const [command = '', ...args] = splitCommandLine(line, 'linux') ?? [];
      assert.equal(nameOfCommand(command, args), name);
    });
  }
});
