import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { parseCommandLine } from '../../../src/cli/commandLine';
import { UsageError } from '../../../src/cli/usageError';
import { tapFolder } from '../../../src/wire/journal/tapFolder';

function refused(words: string): string {
  try {
    parseCommandLine(words.split(' ').filter((word) => word !== ''));
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  return assert.fail(`"${words}" was accepted`);
}

describe('agent-logs: the command line', () => {
  it('takes the names of secret variables', () => {
    const command = parseCommandLine(['tap', '--secret-env', 'A_TOKEN,B,', '--', 'agent']);
    assert.deepEqual(command.type === 'tap' && command.secretEnv, ['A_TOKEN', 'B']);
  });

  it('takes everything after -- for the agent', () => {
    const command = ['npx', '--help', '--', '-f'];
    const tap = parseCommandLine(['tap', '--name', 'My Agent', '--level', 'warn', '--', ...command]);
    // The protocol is ACP, since a level is asked for.
    assert.deepEqual(tap, { type: 'tap', name: 'My Agent', protocol: 'acp', level: 'warning', command });
  });

  it('names an agent after its command', () => {
    const command = parseCommandLine(['tap', '--protocol', 'mcp', '--', '/usr/bin/server', 'stdio']);
    assert.deepEqual(command, { type: 'tap', name: 'server', protocol: 'mcp', command: ['/usr/bin/server', 'stdio'] });
    assert.deepEqual(parseCommandLine(['tap', '--', 'agent']), { type: 'tap', name: 'agent', command: ['agent'] });
  });

  it('reads what to print', () => {
    const tail = { type: 'tail', file: 'a.ndjson', follow: true, level: 'info', session: 's', json: true };
    assert.deepEqual(parseCommandLine(['tail', '-f', '--json', 'a.ndjson', '--session', 's']), tail);
    const share = { type: 'share', run: 'a', preset: 'full', format: 'html' };
    assert.deepEqual(parseCommandLine(['share', 'a']), share);
    const short = parseCommandLine(['share', '--preset', 'minimal', '--format', 'markdown', 'a']);
    assert.deepEqual(short, { ...share, preset: 'minimal', format: 'markdown' });
    for (const words of ['tail -h', 'help tail']) {
      assert.deepEqual(parseCommandLine(words.split(' ')), { type: 'help', of: 'tail' });
    }
    assert.deepEqual(parseCommandLine(['--help']), { type: 'help' });
    assert.deepEqual(parseCommandLine(['--version']), { type: 'version' });
  });

  for (const [words, why] of [
    ['', /"tap", "tail"/],
    ['start x', /Unknown command "start"/],
    ['sessions --since tuesday', /Give --since a duration such as 7d/],
    ['sessions --agent x', /^Unknown agent "x"\. The agents are claude, /],
    ['sessions --limit 0', /whole number/],
    ['export --journals=', /^Give --journals the path of a folder/],
    ['export --headers x', /The options are --otlp, --journals, --again/],
    ['share', /Name the run to share/],
    ['share a --preset small', /presets are full and minimal/],
    ['share a --format pdf', /formats are html and markdown/],
    ['tap --name x', /after " -- "/],
    ['tap agent --acp', /options are --name, --protocol/],
    ['tap agent', /"agent" is no option/],
    ['tap --level loud -- x', /levels are debug, info/],
    ['tap --protocol mcp --level info -- x', /Leave it out/],
    ['tap --protocol http -- x', /protocols are acp, mcp, lsp, stream-json/],
    ['tap --journal a --folder b -- x', /not both/],
    ['tap --folder= -- x', /--folder/],
    ['tap --journal= -- x', /--journal/],
    ['tap --name --folder x -- y', /^Option '--name' needs a value/],
    ['tail', /Name the file/],
    ['tail a b', /one file only/],
    ['tail --follow=x a', /follow/],
  ] as const) {
    it(`says what to write instead: ${words}`, () => assert.match(refused(words), why));
  }

  it('says what to write instead of an empty name', () => {
    assert.throws(() => parseCommandLine(['tail', '']), UsageError);
  });
});

describe('the folder of the taps', () => {
  const home = '/home/me';

  it('is where each system keeps state', () => {
    const local = 'C:\\Users\\me\\AppData\\Local';
    for (const [platform, env, home, state] of [
      ['linux', {}, '/home/me', '/home/me/.local/state/'],
      ['linux', { XDG_STATE_HOME: '/s' }, '/home/me', '/s/'],
      ['linux', { XDG_STATE_HOME: 's' }, '/home/me', '/home/me/.local/state/'],
      ['darwin', {}, '/home/me', '/home/me/Library/Application Support/'],
      ['win32', { LOCALAPPDATA: 'C:\\L' }, '/home/me', 'C:\\L\\'],
      ['win32', {}, 'C:\\Users\\me', `${local}\\`],
    ] as const) {
      assert.equal(tapFolder({ platform, env, home }), `${state}agent-logs${state.at(-1)}taps`);
    }
  });

  it('is beside the installed tap, which a client may start without the variables of VS Code', () => {
    const program = '/x/agent-logs/agent-logs.cjs';
    assert.equal(tapFolder({ platform: 'linux', env: {}, home, program }), '/x/agent-logs/taps');
    const windows = 'C:\\L\\agent-logs\\agent-logs.cjs';
    assert.equal(tapFolder({ platform: 'win32', env: {}, home, program: windows }), 'C:\\L\\agent-logs\\taps');
    for (const other of ['/x/agent-logs/cli.js', '/usr/bin/agent-logs.cjs', '/x/agent-logs/agent-logs.cjs/y']) {
      const folder = tapFolder({ platform: 'linux', env: {}, home, program: other });
      assert.equal(folder, '/home/me/.local/state/agent-logs/taps');
    }
  });

  it('filters saved sessions, with the words of the shell as terms', () => {
    const filterOf = (...words: string[]): unknown =>
      (parseCommandLine(['sessions', ...words]) as { readonly filter?: unknown }).filter;
    assert.equal(filterOf('outcome:failed', '--json', 'parser'), 'outcome:failed parser');
    assert.equal(filterOf('folder:my shop', 'fix the'), 'folder:"my shop" "fix the"');
    assert.equal(filterOf('-outcome:failed'), '-outcome:failed');
    assert.equal(filterOf('folder:"my shop"'), 'folder:"my shop"');
  });

  it('exports what fits a filter', () => {
    const some = parseCommandLine(['export', '--otlp', 'http://x', 'agent:pi', '-outcome:open', 'two words']);
    const filter = 'agent:pi "two words" -outcome:open';
    assert.deepEqual(some, { type: 'export', otlp: 'http://x', filter, again: false });
    const journals = parseCommandLine(['export', '--again', '--journals', '/j']);
    assert.deepEqual(journals, { type: 'export', journals: '/j', filter: '', again: true });
  });

  it('lists saved sessions', () => {
    const all = { type: 'sessions', filter: '', limit: 50, json: false, watch: false };
    assert.deepEqual(parseCommandLine(['sessions']), all);
    const words = ['sessions', '--agent', 'codex', '--folder', '/w', '--limit', '3', '--json'];
    const some = { ...all, agent: 'codex', folder: resolve('/w'), limit: 3, json: true };
    assert.deepEqual(parseCommandLine(words), some);
  });
});
