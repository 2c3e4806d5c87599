import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runHere } from '../../../support/cliHere';
import * as journal from '../../../support/journalText';
import { useFolder } from '../../../support/tempFolder';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const transcripts = 'test/fixtures/transcripts';

describe('agent-logs check: what is not a whole run', () => {
  const folder = useFolder();
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };
  const check = (...args: readonly string[]) => runHere(folder.path, ['check', ...args]);

  const [header, said, exit] = [journal.header(), journal.log('hello'), journal.exit(1000)];
  const random = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i * 7919 + i * 104_729 + (i >> 3)) % 256));
  const run = (name: string, content: string | Buffer, ...args: readonly string[]) =>
    check(write(name, content), ...args);

  for (const [what, content, why] of [
    ['an empty file', '', /is empty/],
    ['blank lines', '\n \n', /is empty/],
    ['random bytes', random, /is not a run/],
    ['a header', header, /only the header/],
    ['half a header', header.slice(0, 60), /is not a run/],
    ['a header and garbage', `${header}garbage\n`, /is not a run/],
    ['half a line of a stream', '{"type":"system","subtype":"init","sess', /is not a run/],
    ['a journal of a newer version', header.replace('1', '99'), /newer version of Agent Logs\. Update this one/],
    [
      'a run whose agent couldn’t be started',
      header +
        journal.message(0, 'c2a', { id: 1, method: 'initialize' }) +
        journal.entry(1000, 'ev', { ev: 'start-failed', message: 'x was not found.' }),
      /its agent couldn't be started\. x was not found/,
    ],
    ['JSON that is no log', '{"name":"x"}\n[{"a":1}]\n42\n', /its JSON has no message, level or time/],
    ['a file compressed with gzip', gzipSync('{"level":30,"msg":"a"}'), /gzip\. Decompress it first/],
    ['a file in UTF-16', Buffer.from('\ufeff{"level":30,"msg":"a"}', 'utf16le'), /UTF-16\. Convert it to UTF-8 first/],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n', /git lfs pull/],
    ['a web page', '<!DOCTYPE html>\n<title>Not found</title>\n', /is a web page/],
  ] as const) {
    for (const args of [
      ['--expect', 'level:error', '--max', '0'],
      ['--no-problems', 'warning'],
      ['--expect', 'x'],
    ]) {
      it(`exits with 2 for ${what}: ${args.join(' ')}`, async () => {
        const { code, stdout, stderr } = await run('run.ndjson', content, ...args);
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, why);
      });
    }
    it(`exits with 2 for ${what} as standard input, or to compare with`, async () => {
      const input = await runHere(folder.path, ['check', '-', '--expect', 'x', '--max', '0'], { input: content });
      assert.equal(input.code, 2);
      assert.match(input.stderr, /standard input/);
      const other = write('other.ndjson', content);
      assert.equal((await check(join(transcripts, 'codex-mock-ok.ndjson'), '--compare', other)).code, 2);
    });
  }

  /** Damage that leaves enough of a file to see what it is. */
  const damages: Readonly<Record<string, (lines: readonly string[], middle: number) => readonly string[]>> = {
    'cut in its last line': (lines) => lines.with(-1, lines.at(-1)?.slice(0, -1) ?? ''),
    'without its last lines': (lines, middle) => lines.slice(0, middle),
    'without the end of a line': (lines, middle) => lines.with(middle, lines[middle]?.slice(0, -10) ?? ''),
    'without the beginning of a line': (lines, middle) => lines.with(middle, lines[middle]?.slice(10) ?? ''),
    'without its beginning': (lines) => lines.with(0, lines[0]?.slice(30) ?? ''),
    'with zeros': (lines, middle) => lines.with(middle, '\0'.repeat(500)),
  };
  const documents = ['goose-export.json', 'opencode-export.json'];
  for (const name of [
    ...['auggie-tools.json', 'claude-hooks.jsonl', 'cline-tools.messages.json', 'codex-tools.jsonl'],
    ...['continue-tools.json', 'copilot-terminal.jsonl', 'droid-tools.jsonl', 'gemini-tools.jsonl'],
    ...['kimi-tools.jsonl', 'letta-tools.jsonl', 'pi-retries.jsonl', 'qwen-tools.jsonl'],
    ...documents,
    ...['vscode-429.jsonl', 'vscode-edit.jsonl', 'vscode-terminal.jsonl', '../clientLogs/inspector.json'],
    ...['../clientLogs/zed.json', '../streams/claude-written.ndjson', '../streams/codex-mock.ndjson'],
    ...['../streams/cursor-recorded.ndjson', '../streams/opencode-tools.ndjson', '../traces/jaeger.json'],
  ]) {
    it(`passes ${name} whole, but not damaged`, async () => {
      const absent = ['--expect', 'nowhere', '--max', '0'];
      const whole = readFileSync(join('test/fixtures/saved', name), 'utf8').trimEnd();
      assert.equal((await run(basename(name), whole, ...absent)).code, 0);
      const lines = whole.split('\n');
      for (const [what, damage] of Object.entries(damages)) {
        const damaged = damage(lines, Math.floor(lines.length / 2)).join('\n');
        const { code, stdout, stderr } = await run(basename(name), damaged, ...absent);
        // A member may be gone without a trace.
        if (isJson(damaged)) continue;
        assert.notEqual(code, 0, what);
        assert.match(stdout + stderr, /cannot be read|has no (?:end|run)|is not a run|too long/, what);
      }
    });
  }

  const fixture = (name: string): string => readFileSync(join('test/fixtures/saved', name), 'utf8');
  const firstLine = (name: string): string => fixture(name).slice(0, fixture(name).indexOf('\n') + 1);
  const brokenLine = (name: string): string => fixture(name).replace(/": /, '" ');
  const logs = ['claude-terminal', 'codex-tools', 'gemini-tools', 'copilot-terminal', 'pi-terminal'];
  for (const [what, names, contentOf] of [
    ['the header of a session', logs.map((name) => `${name}.jsonl`), firstLine],
    ['half a session', ['cline-tools.messages.json', ...documents], (name: string) => fixture(name).slice(0, -60)],
    ['a session with a broken line', ['auggie-tools.json', ...documents], brokenLine],
    ['a database', ['opencode.db'], () => Buffer.concat([Buffer.from('SQLite format 3\0'), random])],
  ] as const) {
    for (const name of names) {
      it(`exits with 2 for ${what}: ${name}`, async () => {
        const { code, stdout, stderr } = await run(name, contentOf(name), '--expect', 'nowhere', '--max', '0');
        assert.deepEqual([code, stdout], [2, ''], stderr);
      });
    }
  }

  it('fails if a saved session is cut', async () => {
    for (const name of ['claude-terminal.jsonl', 'codex-tools.jsonl', 'qwen-tools.jsonl', 'vscode-429.jsonl']) {
      const content = fixture(name).trimEnd().slice(0, -20);
      const { code, stdout } = await run(name, content, '--expect', 'nowhere', '--max', '0');
      assert.equal(code, 1, name);
      assert.match(stdout, /^note {2}not everything was read: 1 line cannot be read$/m);
    }
  });

  const begun = header + said;
  const [unread, noEnd] = [/1 line cannot be read/, /the run has no end/];
  const asked = '{"type":"user","message":{"role":"user","content":"hello"}}\n';
  for (const [what, content, why] of [
    ['a journal that is cut in a line', `${begun}${exit.slice(0, 40)}`, unread],
    ['a run whose tap died', begun, noEnd],
    ['an earlier run whose tap died', `${begun}${begun.replace('2026', '2027')}${exit}`, noEnd],
    ['a journal with garbage', `${begun}\0\x01garbage\n${exit}`, unread],
    ['a journal whose last line was cut and continued', `${begun}${exit.slice(0, -9)}${exit}${exit}`, unread],
    ['a journal that was cut, with the next run', `${begun}${exit.slice(0, 70)}${begun}${exit}`, unread],
    ['a log with a line in the next', '{"level":30,"msg":"a"}\n{"level":30,"msg":"{"level":30,"msg":"b"}\n', unread],
    ['a log that is cut after a bracket', '{"level":30,"msg":"a"}\n{', unread],
    ['a log with spaces that is cut', '{ "level": 30, "msg": "a" }\n{ "le', unread],
    ['a gap', begun + journal.entry(1000, 'ev', { ev: 'skipped', bytes: 77 }) + exit, /77 bytes were not recorded/],
    ['a stream that is cut in a line', `${asked}{"type":"assi`, unread],
  ] as const) {
    it(`names what is missing, and fails if it could hide something: ${what}`, async () => {
      const junit = folder.in('junit.xml');
      const found = await run('run.ndjson', content, '--expect', 'level:debug', '--json', '--junit', junit);
      assert.equal(found.code, 0, found.stdout + found.stderr);
      assert.match(JSON.stringify((JSON.parse(found.stdout) as { missing: unknown }).missing), why);
      assert.match(readFileSync(junit, 'utf8'), why);
      const absents = ['--expect nowhere --max 0', '--spans kind:compaction --max 0', '--no-problems emergency'];
      for (const absent of absents) {
        const { code, stdout } = await run('run.ndjson', content, ...absent.split(' '));
        assert.equal(code, 1, absent);
        assert.match(stdout, /^FAIL .*but not everything was read: /m);
        assert.match(stdout, why);
      }
    });
  }

  it('fails to compare with what was not read whole, and takes a negated query', async () => {
    const file = join(transcripts, 'codex-mock-ok.ndjson');
    const cut = readFileSync(file, 'utf8').trimEnd().slice(0, -5);
    const { code, stdout } = await run('run.ndjson', cut, '--compare', file, '--expect', '-level:warning');
    assert.equal(code, 1);
    assert.match(stdout, /^FAIL .*the steps are the same, but not everything was read/m);
    assert.match(stdout, /^ok .*"-level:warning"/m);
    const other = await check(file, '--compare', write('other.ndjson', cut));
    assert.equal(other.code, 1);
    assert.match(other.stdout, /of the other run, 1 line cannot be read/);
  });

  for (const [what, content] of [
    ['a whole run', begun + exit],
    ['a run with a byte order mark and the line breaks of Windows', `\ufeff${begun}${exit}`.replaceAll('\n', '\r\n')],
    ['a log that prints objects', 'ready\n{\n  "a": 1,\n  b: 2\n}\n{"a" => 1}\n'],
  ] as const) {
    it(`says nothing of ${what}`, async () => {
      const { code, stdout } = await run('run.ndjson', content, '--expect', 'nowhere', '--max', '0');
      assert.deepEqual([code, stdout], [0, 'ok    no records match "nowhere": no record matches\n1 check passed.\n']);
    });
  }

  it('fails if there are more steps than are kept', async () => {
    const calls = Array.from({ length: 10_002 }, (_, i) => {
      const ended = { toolCallId: `${i}`, title: 't', status: i === 0 ? 'failed' : 'completed' };
      const params = { sessionId: 's', update: { sessionUpdate: 'tool_call', ...ended } };
      return journal.message(1000, 'a2c', { method: 'session/update', params });
    });
    const content = [header, ...calls, exit].join('');
    const { code, stdout } = await run('run.ndjson', content, '--spans', 'status:error', '--max', '0');
    assert.equal(code, 1);
    assert.match(stdout, /but \d+ spans are not known: at most 10000 of a run are kept/);
  });
});
