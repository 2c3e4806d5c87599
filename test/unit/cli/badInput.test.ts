import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { unreadable } from '../../../src/cli/runArgument';
import { runHere } from '../../support/cliHere';
import { hasSqlite, writeDatabase } from '../../support/databases';
import * as journal from '../../support/journalText';
import { isWindows, itOnPosix } from '../../support/platform';

const header = journal.header();
const random = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i * 7919 + i * 104_729 + (i >> 3)) % 256));
/** Root may read everything. */
const mayReadAll = isWindows || process.getuid?.() === 0;

describe('agent-logs with what it can’t read', () => {
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    mkdirSync(join(home, 'folder.ndjson'));
    for (const [name, content] of Object.entries({
      'empty.ndjson': '',
      'blank.ndjson': ' \n\n',
      'random.ndjson': random,
      'header.ndjson': header,
      'run.ndjson.gz': gzipSync(header),
      'run.ndjson.zst': Buffer.from('KLUv/SQGMQAAaGVsbG8KePGxAQ==', 'base64'),
      'utf16.ndjson': Buffer.from(`\ufeff${header}`, 'utf16le'),
      'document.json': readFileSync('test/fixtures/saved/opencode-export.json').subarray(0, -60),
      'noDatabase.db': Buffer.concat([Buffer.from('SQLite format 3\0'), random]),
      'opencode.db': random,
      'unreadable.ndjson': header,
    })) {
      writeFileSync(join(home, name), content);
    }
    chmodSync(join(home, 'unreadable.ndjson'), 0);
    if (hasSqlite) writeDatabase(join(home, 'other.db'), 'create table x (a)');
    if (!isWindows) execFileSync('mkfifo', [join(home, 'pipe')]);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const run = (...words: readonly string[]) => runHere(home, words);

  const commands = {
    check: { code: 2, args: ['--expect', 'level:error', '--max', '0'] },
    tail: { code: 1, args: [] },
    share: { code: 2, args: [] },
    replay: { code: 2, args: [] },
  } as const;
  const names = Object.keys(commands) as (keyof typeof commands)[];
  const cases: readonly (readonly [file: string, why: RegExp, only?: readonly (keyof typeof commands)[]])[] = [
    ['empty.ndjson', /is empty\. Expected a journal/, ['check', 'tail', 'share']],
    ['blank.ndjson', /is empty\. Expected a journal/, ['check', 'tail', 'share']],
    ['random.ndjson', /is not a run: .*Expected a journal/, ['check', 'tail', 'share']],
    ['opencode.db', /is not a run: .*Expected a journal/, ['check', 'tail', 'share']],
    ['empty.ndjson', /has no messages of an agent\. Replay a journal/, ['replay']],
    ['random.ndjson', /has no messages of an agent\. Replay a journal/, ['replay']],
    ['header.ndjson', /has only the header of a run: .*Record it again\./],
    ['run.ndjson.gz', /is compressed with gzip\. Decompress it first, such as with gunzip\./],
    ['run.ndjson.zst', /is compressed with Zstandard\. Decompress it first, such as with zstd -d\./],
    ['utf16.ndjson', /is text in UTF-16\. Convert it to UTF-8 first, such as with iconv/],
    ['document.json', /its JSON document has no end\. Copy or export it again\./, ['check', 'share']],
    ['folder.ndjson', /is a folder\. Name one of the files in it\./],
    ['missing.ndjson', /does not exist\. Name a file, or a session .*by the last characters of its id, at least 6\./],
    ...(isWindows ? [] : [['pipe', /isn't a file\. Save what comes from it/, ['share', 'replay']] as const]),
    ...(mayReadAll ? [] : [['unreadable.ndjson', /permissions do not allow you to\. Change them/] as const]),
    ...(hasSqlite
      ? [
          ['noDatabase.db', /is damaged or isn't a database \(.*\)\. If it is a copy, copy it again/] as const,
          ['other.db', /is a database, but not of an agent that Agent Logs knows\. It isn't read\./] as const,
        ]
      : [['noDatabase.db', /needs Node\.js 22\.15 or later, this is v/] as const]),
  ];
  for (const [file, why, only = names] of cases) {
    for (const name of only) {
      it(`${name} says what to do: ${file}`, async () => {
        const { code, stderr } = await run(name, join(home, file), ...commands[name].args);
        assert.match(stderr, why);
        assert.ok(stderr.includes(file), stderr);
        assert.equal(code, commands[name].code);
      });
    }
  }

  it('says who may read a file', () => {
    for (const code of ['EACCES', 'EPERM']) {
      const error = Object.assign(new Error(`${code}: no`), { code });
      assert.match(unreadable('a.ndjson', error, 'a session'), /^a\.ndjson cannot be read: .*Change them/);
    }
    assert.equal(unreadable('a', new Error('EIO: i/o error'), 'a session'), 'a cannot be read: EIO: i/o error');
  });

  itOnPosix('reads a pipe once', async () => {
    const pipe = join(home, 'pipe');
    const line = '{"type":"result","subtype":"success","session_id":"s","is_error":false,"result":"done"}\n';
    for (const [words, code] of [
      [['check', pipe, '--expect', 'level:emergency', '--max', '0'], 0],
      [['tail', pipe], 0],
      [['check', pipe, '--expect', 'level:emergency'], 1],
    ] as const) {
      createWriteStream(pipe).end(line);
      const ended = await run(...words);
      assert.deepEqual([ended.code, ended.stderr], [code, '']);
    }
  });

  it('check says why a report can’t be written', async () => {
    const run1 = 'test/fixtures/transcripts/codex-mock-ok.ndjson';
    const copy = join(home, 'copy.ndjson');
    writeFileSync(copy, readFileSync(run1));
    for (const [args, junit, why] of [
      [[run1, '--expect', 'a'], 'none/report.xml', /cannot be written: ENOENT.*Name a file in a folder that exists/],
      [[copy, '--expect', 'a'], 'copy.ndjson', /would replace .*copy\.ndjson, which is read\. Name another file\./],
      [[run1, '--compare', copy], 'copy.ndjson', /would replace .*copy\.ndjson, which is read\. Name another file\./],
    ] as const) {
      const { code, stderr } = await run('check', ...args, '--junit', join(home, '.', junit));
      assert.equal(code, 2);
      assert.match(stderr, why);
    }
    assert.deepEqual(readFileSync(copy), readFileSync(run1));
  });

  it('sessions names a database that can’t be read, and lists the others', async () => {
    const session = '.claude/projects/p/0be0b1c6-1111-4222-8333-444455556666.jsonl';
    for (const path of ['.local/share/opencode/opencode.db', session]) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), random);
    }
    const { code, stdout, stderr } = await run('sessions');
    assert.match(
      stderr,
      /^agent-logs: OpenCode's database can't be read: (?:it is damaged .*copy it|reading it needs)/,
    );
    assert.match(stdout, /claude .* 55556666 +\(no title\)\n$/);
    assert.equal(code, 1);
    for (const name of names) {
      const { code: exit, stderr: why } = await run(name, '444455556666', ...commands[name].args);
      assert.match(why, name === 'replay' ? /saved session.*Replay a journal/ : /is not a run: .*Expected a journal/);
      assert.equal(exit, commands[name].code);
    }
  });
});
