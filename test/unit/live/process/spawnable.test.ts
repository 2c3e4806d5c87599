import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { SpawnHost } from '../../../../src/live/process/spawnable';
import { batchCommandLine, npmShimTarget, spawnable, spawnHost } from '../../../../src/live/process/spawnable';

/** Shims written by npm's cmd-shim 7. */
const shim = (name: string): string => readFileSync(`test/fixtures/cmdShims/${name}.cmd`, 'utf8');

/** A Windows machine with these files. */
function windows(files: Readonly<Record<string, string>>): SpawnHost {
  const texts = new Map(Object.entries(files).map(([path, text]) => [path.toLowerCase(), text]));
  return {
    platform: 'win32',
    env: { Path: 'C:\\npm;C:\\nodejs', ComSpec: 'C:\\Windows\\cmd.exe' },
    cwd: 'C:\\ws',
    isProgram: (path) => Promise.resolve(texts.has(path.toLowerCase())),
    readText: (path) => Promise.resolve(texts.get(path.toLowerCase())),
  };
}

const spec = (command: string, ...args: string[]) => ({ command, args });

describe('what is spawned on Windows', () => {
  it('is the program that an npm shim runs', async () => {
    const host = windows({ 'C:\\npm\\agent.cmd': shim('script'), 'C:\\nodejs\\node.exe': '' });
    assert.deepEqual(await spawnable(spec('agent', '--acp', 'a "b" %C%\n'), host), {
      command: 'C:\\nodejs\\node.exe',
      args: ['C:\\pkg\\index.js', '--acp', 'a "b" %C%\n'],
    });
  });

  it('is the interpreter beside the shim, if there is one', async () => {
    const files = { 'C:\\npm\\agent.cmd': shim('options'), 'C:\\npm\\node.exe': '', 'C:\\nodejs\\node.exe': '' };
    assert.deepEqual(await spawnable(spec('agent.cmd'), windows(files)), {
      command: 'C:\\npm\\node.exe',
      args: ['--no-warnings=DEP0040', 'C:\\pkg\\flags.js'],
    });
  });

  it('is cmd.exe for any other batch file', async () => {
    const node = { 'C:\\nodejs\\node.exe': '' };
    for (const [name, others] of [
      ['other', node],
      ['variables', node],
      ['script', {}], // node is missing
      ['script', { 'C:\\nodejs\\node.cmd': '' }],
    ] as const) {
      const host = windows({ 'C:\\npm\\npx.cmd': shim(name), ...others });
      assert.deepEqual(await spawnable(spec('npx', '-y', 'a b'), host), {
        command: 'C:\\Windows\\cmd.exe',
        args: ['/e:ON', '/v:OFF', '/d', '/s', '/c', '""C:\\npm\\npx.cmd" "-y" "a b""'],
        windowsVerbatimArguments: true,
      });
    }
  });

  it('is the command itself if it is a program or not found', async () => {
    const host = windows({ 'C:\\npm\\agent.exe': '' });
    assert.deepEqual(await spawnable(spec('agent', 'x'), host), { command: 'agent', args: ['x'] });
    assert.deepEqual(await spawnable(spec('other', 'x'), host), { command: 'other', args: ['x'] });
  });

  it('is refused if cmd.exe would cut an argument', async () => {
    const host = windows({ 'C:\\npm\\npx.cmd': shim('other') });
    const refusal = { name: 'HumanError', message: /can't take arguments of several lines/ };
    await assert.rejects(spawnable(spec('npx', 'one\ntwo'), host), refusal);
  });

  it('is the command itself everywhere else', async () => {
    const host = { ...windows({}), platform: 'linux' };
    assert.deepEqual(await spawnable(spec('npx.cmd', 'x'), host), { command: 'npx.cmd', args: ['x'] });
  });

  it('only reads small files', async () => {
    const { readText } = spawnHost({}, process.cwd());
    assert.match((await readText('test/fixtures/cmdShims/other.cmd')) ?? '', /^@ECHO OFF\r\n/);
    assert.equal(await readText('package-lock.json'), undefined);
    assert.equal(await readText('no/such/file'), undefined);
  });
});

describe('npm shims', () => {
  it('name a script with its interpreter, or a program', () => {
    assert.deepEqual(npmShimTarget('C:\\npm\\x.cmd', shim('python')), {
      programs: ['C:\\npm\\python3.exe', 'python3'],
      args: ['C:\\pkg\\py.py'],
    });
    assert.deepEqual(npmShimTarget('C:\\npm\\x.cmd', shim('program')), { programs: ['C:\\pkg\\raw.exe'], args: [] });
  });

  it('are distinguished from other batch files', () => {
    const others = [shim('variables'), shim('other'), '', shim('options').replace('--no', '--a^&b')];
    for (const text of others) assert.equal(npmShimTarget('C:\\npm\\x.cmd', text), undefined, text);
  });
});

describe('the command line of a batch file', () => {
  /** Phase one of cmd.exe, with every variable set; the empty part of one is empty. */
  function expanded(line: string): string {
    return line.replace(/%([^%]+)%/g, (_, name: string) => (name === 'cd:~,' ? '' : 'EXPANDED'));
  }

  /** How a C program parses its command line (Microsoft, "Parsing C command-line arguments"). */
  function argv(line: string): string[] {
    const words: string[] = [];
    let word = '';
    let inQuotes = false;
    for (let rest = line; rest !== '';) {
      const slashes = /^\\*/.exec(rest)![0].length;
      const after = rest.slice(slashes);
      const quote = after.startsWith('"');
      word += '\\'.repeat(quote ? Math.floor(slashes / 2) : slashes);
      const doubled = inQuotes && after.startsWith('""');
      if (quote && (slashes % 2 === 1 || doubled)) word += '"';
      else if (quote) inQuotes = !inQuotes;
      else if (after.startsWith(' ') && !inQuotes) words.push(word);
      else word += after.slice(0, 1);
      if (!quote && after.startsWith(' ') && !inQuotes) word = '';
      rest = after.slice(quote && slashes % 2 === 0 && doubled ? 2 : 1);
    }
    return [...words, word];
  }

  /** What is inside the outermost quotes, which cmd.exe removes with `/s`. */
  function lineOf(args: readonly string[]): string {
    const all = batchCommandLine('C:\\a b\\x.cmd', args) ?? [];
    assert.deepEqual(all.slice(0, -1), ['/e:ON', '/v:OFF', '/d', '/s', '/c']);
    return all[5]?.slice(1, -1) ?? '';
  }

  it('quotes everything', () => {
    assert.equal(lineOf(['--acp', '', 'a\\']), '"C:\\a b\\x.cmd" "--acp" "" "a\\\\"');
    assert.equal(lineOf(['a"b', 'a\\"b']), '"C:\\a b\\x.cmd" "a""b" "a\\\\""b"');
    assert.equal(lineOf(['&calc|^<>!']), '"C:\\a b\\x.cmd" "&calc|^<>!"');
    assert.equal(lineOf(['%PATH%']), '"C:\\a b\\x.cmd" "%%cd:~,%PATH%%cd:~,%"');
  });

  it('preserves every argument, and leaves nothing unquoted', () => {
    const nasty = fc.string({ unit: fc.constantFrom('"', '\\', '%', '&', '|', '^', ' ', '!', 'a', 'cd:~,', '(', '>') });
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 4 }), (args) => {
        const line = expanded(lineOf(args));
        assert.deepEqual(argv(line), ['C:\\a b\\x.cmd', ...args]);
        const outside = line.split('"').filter((_, index) => index % 2 === 0);
        for (const text of outside) assert.match(text, /^ ?$/, line);
      }),
    );
  });

  it('is refused if cmd.exe would end it', () => {
    for (const bad of ['a\nb', 'a\r', '\0']) assert.equal(batchCommandLine('C:\\x.cmd', [bad]), undefined);
    assert.equal(batchCommandLine('C:\\x".cmd', []), undefined);
  });
});
