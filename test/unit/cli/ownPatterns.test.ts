import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerTools } from '../../../src/answers/tools';
import { usage } from '../../../src/cli/commandLine';
import { sumsTable } from '../../../src/cli/sessionSums';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import type { CliResult } from '../../support/cli';
import { useCli } from '../../support/cli';

const secret = 'ACME-4711';
const session = '0be0b1c6-1111-4222-8333-444455556666';

describe('the patterns of the user', function () {
  this.timeout(30_000);
  const cli = useCli();
  let home: string;
  let places: Record<string, string>;
  before(async () => {
    home = cli.newFolder();
    await mkdir(home);
    places = { HOME: home, USERPROFILE: home, LOCALAPPDATA: home, XDG_STATE_HOME: join(home, 'state') };
    const state = tapFolder({ platform: process.platform, env: places, home });
    await writeTapPatterns(tapPatternsFile(state), ['ACME-\\d+']);
    const project = join(home, '.claude', 'projects', '-work');
    await mkdir(project, { recursive: true });
    const common = {
      sessionId: session,
      cwd: `/work/${secret}`,
      version: '2.1.0',
      gitBranch: `for/${secret}`,
      timestamp: '2026-11-20T10:00:00.000Z',
    };
    const said = [
      { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: `Why ${secret}?` } },
      {
        type: 'assistant',
        uuid: 'b',
        parentUuid: 'a',
        message: {
          id: 'm',
          role: 'assistant',
          model: `x-${secret}`,
          content: [{ type: 'text', text: `Since ${secret}.` }],
        },
      },
    ];
    await writeFile(
      join(project, `${session}.jsonl`),
      said.map((line) => `${JSON.stringify({ ...common, ...line })}\n`).join(''),
    );
    await writeFile(
      join(home, 'stream.ndjson'),
      [
        { type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: `/work/${secret}` },
        {
          type: 'assistant',
          session_id: 's',
          message: { id: 'm', content: [{ type: 'text', text: `It is ${secret}.` }] },
        },
        { type: 'result', subtype: 'success', session_id: 's', is_error: false, result: secret },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const name = `no ${secret}\nok    all is well\u001b[2K`;
    await writeFile(join(home, 'checks.json'), JSON.stringify({ checks: [{ name, expect: 'neversaid' }] }));
    const program = `console.error('${secret}'); process.exit(1)`;
    const server = { command: process.execPath, args: ['-e', program, secret], env: { PLACE: secret } };
    await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { [`notes ${secret}`]: server } }));
  });

  const stream = (): string => join(home, 'stream.ndjson');
  const commands: Readonly<Record<string, () => readonly string[]>> = {
    tail: () => ['tail', stream()],
    'tail --json': () => ['tail', '--json', '--level', 'debug', stream()],
    'tail of a session': () => ['tail', session],
    'tail of a missing session': () => ['tail', stream(), '--session', secret],
    'tail of a missing file': () => ['tail', `${secret}.ndjson`],
    sessions: () => ['sessions'],
    'sessions --by folder': () => ['sessions', '--by', 'folder'],
    'sessions --by branch': () => ['sessions', '--by', 'branch', '--json'],
    'sessions --by model': () => ['sessions', '--by', 'model'],
    'sessions --json': () => ['sessions', '--json'],
    'sessions that do not fit': () => ['sessions', secret, 'nothing'],
    check: () => ['check', join(home, 'checks.json'), stream()],
    'check --json': () => ['check', stream(), '--json', '--expect', secret, '--max', '0'],
    'check --compare': () => ['check', stream(), '--compare', session],
    'check --junit': () => ['check', join(home, 'checks.json'), stream(), '--junit', join(home, 'junit.xml')],
    'check-mcp': () => ['check-mcp'],
    'check-mcp --json': () => ['check-mcp', '--json'],
    'check-mcp of an unknown server': () => ['check-mcp', secret],
    mcp: () => ['mcp'],
    replay: () => ['replay', stream(), '--speed', 'max'],
    share: () => ['share', stream()],
    'export without a collector': () => ['export', '--otlp', `http://127.0.0.1:1/${secret}`],
    'export that does not fit': () => ['export', '--otlp', 'http://127.0.0.1:1', secret],
    'share --preset minimal': () => ['share', stream(), '--preset', 'minimal'],
    'share --format markdown': () => ['share', stream(), '--format', 'markdown'],
    'an unknown command': () => [secret],
    'a bad option': () => ['tail', `--${secret}`, 'x'],
    'tap --check': () => [
      ...['tap', '--folder', join(home, 'taps'), '--check', join(home, 'checks.json'), '--protocol', 'stream-json'],
      ...['--', process.execPath, '-e', `console.log(JSON.stringify({ type: 'result', result: 'ACME-' + 4711 }))`],
    ],
    'a missing agent': () => ['tap', '--folder', join(home, 'taps'), '--', `/none/${secret}`],
  };

  /** Passed on as it is: its own output. */
  const passesOn: ReadonlySet<string> = new Set(['tap --check']);

  const ask = (id: number, name: string, input: object): object => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: input },
  });
  /** What commands read. */
  const inputs: Readonly<Record<string, readonly object[]>> = {
    mcp: [
      ask(1, 'list_runs', {}),
      ask(2, 'read_records', { run: session, query: secret }),
      ask(3, 'read_turns', { run: session }),
      ask(4, 'problems', { run: session }),
      ask(5, 'problems', { run: secret, [secret]: secret }),
      ask(6, 'compare_runs', { run: session, other: session }),
      ask(7, 'check_mcp_servers', {}),
      ask(8, secret, {}),
    ],
  };

  const run = (words: readonly string[], input: readonly object[] = []): Promise<CliResult> =>
    cli.run(words, input.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      ...{ ...places, CLAUDE_CONFIG_DIR: '' },
      // Without retries.
      OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    });

  for (const [title, words] of Object.entries(commands)) {
    it(`are left out of the output of ${title}`, async () => {
      const { stdout, stderr } = await run(words(), inputs[title]);
      const all = (passesOn.has(title) ? '' : stdout.toString()) + stderr;
      assert.notEqual(all, '');
      assert.ok(!all.includes(secret), all.slice(0, 2000));
    });
  }

  it('are known to all commands, and to all tools of the MCP server', () => {
    const asked = JSON.stringify(inputs['mcp']);
    assert.deepEqual(
      Object.keys(answerTools).filter((tool) => !asked.includes(`"name":"${tool}"`)),
      [],
    );
    const run = new Set(Object.values(commands).map((words) => words()[0]));
    assert.deepEqual(
      [...usage().matchAll(/^ {2}agent-logs ([a-z-]+) /gm)].map(([, name]) => name).filter((name) => !run.has(name)),
      ['--help'],
    );
  });

  it('are looked for before names are cut', () => {
    const sum = { sessions: 1, counted: 1, usage: {} };
    for (let length = 40; length < 60; length++) {
      const sums = [{ ...sum, name: `${'a'.repeat(length)}${secret}` }];
      const lines = sumsTable(sums, 'folder', (name) => name.replaceAll(secret, '[redacted]'));
      assert.doesNotMatch(lines.join('\n'), /aACME/, String(length));
    }
  });

  it('are left out of JUnit’s file', async () => {
    const xml = await readFile(join(home, 'junit.xml'), 'utf8');
    assert.match(xml, /no \[redacted\]/);
    assert.ok(!xml.includes(secret));
  });

  it('show nothing if they can’t be read', async () => {
    const state = tapFolder({
      platform: process.platform,
      env: { ...places, XDG_STATE_HOME: join(home, 'other') },
      home,
    });
    await mkdir(join(state, '..'), { recursive: true });
    await writeFile(tapPatternsFile(state), '{');
    const { code, stdout, stderr } = await cli.run(['tail', stream()], '', {
      ...places,
      XDG_STATE_HOME: join(home, 'other'),
    });
    if (process.platform !== 'linux') return; // other systems have one place
    assert.deepEqual([code, stdout.toString()], [2, '']);
    assert.match(stderr, /redaction patterns can't be read/);
  });

  it('can’t be forgotten: redactors and patterns are made in one place of each program', () => {
    const made = (what: RegExp): readonly string[] =>
      readdirSync('src', { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && what.test(readFileSync(join('src', file), 'utf8')))
        .map((file) => file.replaceAll('\\', '/'))
        .sort();
    assert.deepEqual(made(/new Redactor\(/), [
      'live/mcp/login/loginError.ts', // an error, which is redacted again where it is shown
      'live/process/secretsOfStart.ts', // judges names and values, and shows nothing
      'redact/redactorFor.ts',
    ]);
    assert.deepEqual(
      made(/new OwnPatterns\(/).filter((file) => file !== 'redact/redactor.ts'),
      ['cli/context.ts', 'cli/tap/journal/tapRedactor.ts', 'ui/services/configuration.ts'],
    );
  });

  it('and a name can’t forge a line', async () => {
    const { stdout } = await run(['check', join(home, 'checks.json'), stream()]);
    const lines = stdout.toString().trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^FAIL {2}no \[redacted\]\\nok {4}all is well\\u001b\[2K: /);
    assert.ok(!lines.some((line) => line.startsWith('ok')), stdout.toString());
  });
});
