import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { answerTools } from '../../../src/answers/tools';
import { usage } from '../../../src/cli/commandLine';
import { check } from '../../../src/cli/commands/check';
import { checkMcp } from '../../../src/cli/commands/checkMcp';
import { exportCommand } from '../../../src/cli/commands/export';
import { mcp } from '../../../src/cli/commands/mcp';
import { replay } from '../../../src/cli/commands/replay';
import { sessions } from '../../../src/cli/commands/sessions';
import { share } from '../../../src/cli/commands/share';
import { tail } from '../../../src/cli/commands/tail';
import { tap } from '../../../src/cli/commands/tap';
import { sumsTable } from '../../../src/cli/sessionSums';
import { tapPatternsFile, writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapFolder } from '../../../src/wire/journal/tapFolder';
import { useCli } from '../../support/cli';
import { runHere } from '../../support/cliHere';
import { ClaudeLines } from '../../support/claudeLines';
import { entry, exit, header, linesText, message } from '../../support/journalText';

const secret = 'ACME-4711';
/** Where sessions work. */
const work = resolve('/work', secret);
const session = '0be0b1c6-1111-4222-8333-444455556666';

describe('the patterns of the user', () => {
  const cli = useCli();
  let home: string;
  let places: Record<string, string>;
  /** Where a session waits for the user. */
  let waiting: string;
  before(async () => {
    home = cli.newFolder();
    await mkdir(home);
    waiting = join(home, 'waiting');
    places = { HOME: home, USERPROFILE: home, LOCALAPPDATA: home, XDG_STATE_HOME: join(home, 'state') };
    for (const one of [home, waiting]) {
      const state = tapFolder({ platform: process.platform, env: places, home: one });
      await writeTapPatterns(tapPatternsFile(state), ['ACME-\\d+']);
    }
    const lines = new ClaudeLines(session, '2026-11-20');
    const own = { cwd: work, gitBranch: `for/${secret}` };
    const content = [{ type: 'text', text: `Since ${secret}.` }];
    const said = [
      lines.prompt('a', `Why ${secret}?`, own),
      lines.line('assistant', 'b', { ...own, message: { id: 'm', role: 'assistant', model: `x-${secret}`, content } }),
    ];
    for (const one of [home, waiting]) {
      const project = join(one, '.claude', 'projects', work.replaceAll(/[^A-Za-z0-9]/g, '-'));
      await mkdir(project, { recursive: true });
      await writeFile(join(project, `${session}.jsonl`), linesText(...said));
    }
    const mark = { pid: process.pid, sessionId: session, status: 'waiting', waitingFor: `leave for ${secret}` };
    await mkdir(join(waiting, '.claude', 'sessions'));
    await writeFile(join(waiting, '.claude', 'sessions', '1.json'), JSON.stringify({ ...mark, statusUpdatedAt: 5 }));
    const answer = { id: 'm', content: [{ type: 'text', text: `It is ${secret}.` }] };
    const stream = linesText(
      { type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: `/work/${secret}` },
      { type: 'assistant', session_id: 's', message: answer },
      { type: 'result', subtype: 'success', session_id: 's', is_error: false, result: secret },
    );
    await writeFile(join(home, 'stream.ndjson'), stream);
    const run = [
      header({ agent: `A ${secret}`, cwd: `/work/${secret}` }),
      message(1, 'c2a', { id: 1, method: 'initialize', params: { name: secret } }),
      message(2, 'a2c', { id: 1, result: { name: secret } }),
      entry(3, 'err', { line: `ERROR ${secret} is wrong` }),
      exit(4, 1),
    ];
    await writeFile(join(home, 'run.ndjson'), run.join(''));
    const name = `no ${secret}\nok    all is well\u001b[2K`;
    await writeFile(join(home, 'checks.json'), JSON.stringify({ checks: [{ name, expect: 'neversaid' }] }));
    const program = `console.error('${secret}'); process.exit(1)`;
    const server = { command: process.execPath, args: ['-e', program, secret], env: { PLACE: secret } };
    await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { [`notes ${secret}`]: server } }));
  });

  const stream = (): string => join(home, 'stream.ndjson');
  const journal = (): string => join(home, 'run.ndjson');
  const checks = (): string => join(home, 'checks.json');
  const commands: Readonly<Record<string, () => readonly string[]>> = {
    tail: () => ['tail', stream()],
    'tail --json': () => ['tail', '--json', '--level', 'debug', stream()],
    'tail --protocol': () => ['tail', '--protocol', 'stream-json', stream()],
    'tail --follow': () => ['tail', '--follow', journal()],
    'tail --follow --json': () => ['tail', '--follow', '--json', journal()],
    'tail of standard input': () => ['tail', '--follow', '-'],
    'tail of a session': () => ['tail', session],
    'tail of a missing session': () => ['tail', stream(), '--session', secret],
    'tail of a missing file': () => ['tail', `${secret}.ndjson`],
    'tail of an unknown level': () => ['tail', '--level', secret, stream()],
    'tail of an unknown protocol': () => ['tail', '--protocol', secret, stream()],
    sessions: () => ['sessions'],
    'sessions --by folder': () => ['sessions', '--by', 'folder'],
    'sessions --by branch': () => ['sessions', '--by', 'branch', '--json'],
    'sessions --by model': () => ['sessions', '--by', 'model'],
    'sessions --by skill': () => ['sessions', '--by', 'skill', '--json'],
    'sessions --by agent': () => ['sessions', '--by', 'agent'],
    'sessions by nothing': () => ['sessions', '--by', secret],
    'sessions --json': () => ['sessions', '--json'],
    'sessions --since': () => ['sessions', '--since', '2020-01-01', '--by', 'folder', '--json'],
    'sessions --since no time': () => ['sessions', '--since', secret],
    'sessions that are not since': () => ['sessions', '--since', '2999-01-01', secret],
    'sessions --folder': () => ['sessions', '--folder', work, '--agent', 'claude', '--limit', '1'],
    'sessions of no folder': () => ['sessions', '--folder', `/other/${secret}`, secret],
    'sessions of an unknown agent': () => ['sessions', '--agent', secret],
    'sessions that do not fit': () => ['sessions', secret, 'nothing'],
    'sessions --watch': () => ['sessions', '--watch'],
    'sessions --watch --json': () => ['sessions', '--watch', '--json', '--folder', work],
    check: () => ['check', checks(), stream()],
    'check --json': () => ['check', stream(), '--json', '--expect', secret, '--max', '0'],
    'check --spans': () => ['check', stream(), '--spans', secret, '--min', '9'],
    'check --no-problems': () => ['check', stream(), '--no-problems', secret],
    'check --compare': () => ['check', stream(), '--compare', session],
    'check --junit': () => ['check', checks(), stream(), '--junit', join(home, 'junit.xml')],
    'check --junit that cannot be written': () => ['check', checks(), stream(), '--junit', join(home, secret, 'x')],
    'check --follow': () => ['check', '--follow', journal(), '--expect', secret, '--max', '0'],
    'check --follow --json': () => ['check', '-f', '--json', journal(), '--no-problems', 'warning'],
    'check-mcp': () => ['check-mcp'],
    'check-mcp --json': () => ['check-mcp', '--json'],
    'check-mcp of an unknown server': () => ['check-mcp', secret],
    mcp: () => ['mcp', '--journals', join(home, secret)],
    replay: () => ['replay', stream(), '--speed', 'max'],
    'replay of a journal': () => ['replay', journal(), '--loose', '--speed', 'max'],
    'replay of a missing file': () => ['replay', secret],
    share: () => ['share', stream()],
    'share --preset minimal': () => ['share', stream(), '--preset', 'minimal'],
    'share --preset of no name': () => ['share', stream(), '--preset', secret],
    'share --format markdown': () => ['share', stream(), '--format', 'markdown'],
    'share --format of no name': () => ['share', stream(), '--format', secret],
    'export without a collector': () => ['export', '--again', '--otlp', `http://127.0.0.1:1/${secret}`],
    'export that does not fit': () => ['export', '--otlp', 'http://127.0.0.1:1', secret],
    'export of journals': () => ['export', '--journals', home, '--otlp', 'http://127.0.0.1:1'],
    'an unknown command': () => [secret],
    'a bad option': () => ['tail', `--${secret}`, 'x'],
    'tap --check': () => [
      ...['tap', '--name', secret, '--folder', join(home, 'taps'), '--check', checks(), '--protocol', 'stream-json'],
      ...['--', process.execPath, '-e', `console.log(JSON.stringify({ type: 'result', result: 'ACME-' + 4711 }))`],
    ],
    'tap --journal that cannot be written': () => [
      ...['tap', '--secret-env', secret, '--journal', join(home, 'checks.json', secret), '--level', 'info'],
      ...['--', process.execPath, '-e', '0'],
    ],
    'a missing agent': () => ['tap', '--folder', join(home, 'taps'), '--', `/none/${secret}`],
  };

  /** Those that exit by themselves, or load files of the program. */
  const isProcess = (title: string): boolean => /^(?:tap|replay|a missing agent)/.test(title);
  /** Passed on as it is: its own output. */
  const passesOn: ReadonlySet<string> = new Set(['tap --check']);

  const ask = (id: number, name: string, input: object): object => {
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } };
  };
  /** What commands read. */
  const inputs: Readonly<Record<string, readonly object[]>> = {
    'tail of standard input': [{ type: 'result', session_id: 's', is_error: true, result: secret }],
    'replay of a journal': [{ jsonrpc: '2.0', id: 7, method: `ask/${secret}`, params: { secret } }],
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

  const run = async (title: string, words: readonly string[]) => {
    // The second without retries.
    const env = { ...places, CLAUDE_CONFIG_DIR: '', OTEL_EXPORTER_OTLP_TIMEOUT: '1' };
    const input = linesText(...(inputs[title] ?? []));
    if (words.includes('--watch')) return runHere(waiting, words, { env, leaves: true });
    if (!isProcess(title)) return runHere(home, words, { input, env });
    const { stdout, stderr } = await cli.run(words, input, env);
    return { stdout: stdout.toString(), stderr };
  };

  for (const [title, words] of Object.entries(commands)) {
    it(`are left out of the output of ${title}`, async () => {
      const { stdout, stderr } = await run(title, words());
      const all = (passesOn.has(title) ? '' : stdout) + stderr;
      assert.notEqual(all, '');
      assert.ok(!all.includes(secret), all.slice(0, 2000));
    });
  }

  it('are tried with every option of every command', () => {
    const tried = new Set(Object.values(commands).flatMap((words) => words().map((word) => `${words()[0]} ${word}`)));
    const all = [tap, tail, sessions, check, checkMcp, replay, share, exportCommand, mcp].flatMap((command) =>
      Object.keys(command.options).map((option) => `${command.name} --${option}`),
    );
    const untried = all.filter((option) => !tried.has(option));
    assert.deepEqual(untried, []);
  });

  it('are known to all commands, and to all tools of the MCP server', () => {
    const asked = JSON.stringify(inputs['mcp']);
    for (const tool of Object.keys(answerTools)) assert.ok(asked.includes(`"name":"${tool}"`), tool);
    const run = new Set(Object.values(commands).map((words) => words()[0]));
    const names = [...usage().matchAll(/^ {2}agent-logs ([a-z-]+) /gm)].map(([, name]) => name);
    const untried = names.filter((name) => !run.has(name));
    assert.deepEqual(untried, ['--help']);
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
    const other = join(home, 'other');
    const env = { ...places, HOME: other, USERPROFILE: other, LOCALAPPDATA: other, XDG_STATE_HOME: other };
    const state = tapFolder({ platform: process.platform, env, home: other });
    await mkdir(join(state, '..'), { recursive: true });
    await writeFile(tapPatternsFile(state), '{');
    const { code, stdout, stderr } = await cli.run(['tail', stream()], '', env);
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
    const places = ['cli/context.ts', 'cli/tap/journal/tapRedactor.ts', 'ui/services/configuration.ts'];
    assert.deepEqual(made(/new OwnPatterns\(/), [...places.slice(0, 2), 'redact/redactor.ts', ...places.slice(2)]);
  });

  it('and a name can’t forge a line', async () => {
    const { stdout } = await run('check', ['check', checks(), stream()]);
    assert.match(stdout, /^FAIL {2}no \[redacted\]\\nok {4}all is well\\u001b\[2K: /);
    assert.doesNotMatch(stdout, /^ok/m);
  });
});
