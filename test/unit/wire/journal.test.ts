import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { journalLine } from '../../../src/wire/journal/journalLine';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import type { JournalOptions } from '../../../src/wire/journal/journalWriter';
import { JournalWriter } from '../../../src/wire/journal/journalWriter';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { useFolder } from '../../support/tempFolder';
import { itIfDeletionShows } from '../../support/platform';

const t = Date.parse('2026-11-20T12:00:00.000Z');
const startedAt = '2026-11-20T12:00:00.000Z';
const header = { journal: 1, agent: 'A', protocol: 'acp', command: ['a'], cwd: '/', startedAt } as const;

function message(line: string): WireEvent {
  return { t: t + 5, dir: 'a2c', line, msg: JSON.parse(line) as unknown };
}

describe('a line of a journal', () => {
  it('is one line, though the message was laid out in several: none of them is an event', () => {
    const event = '{"t":"2026-11-20T12:00:00.000Z","ms":0,"dir":"ev","ev":"exit","code":139,"signal":null}';
    for (const lineBreak of ['\n', '\r\n']) {
      const written = journalLine(message(['{"a": "\\n", "x": [', event, ']}'].join(lineBreak)), t);
      assert.doesNotMatch(written, /[\r\n]/);
      const read = readJournalLine(written);
      assert.deepEqual(read && 'msg' in read && read.msg, { a: '\n', x: [JSON.parse(event)] });
    }
  });

  it('has its time, its direction, and the message byte for byte or a text, and says where that was cut', () => {
    const raw = '{ "id":1,  "n":1.0e2, "s":"\\u0041" }';
    const exit = { t: t + 5, dir: 'ev', ev: 'exit', code: 1, signal: null } as const;
    const events: readonly (readonly [WireEvent, string])[] = [
      [message(raw), `"ms":5,"dir":"a2c","msg":${raw}`],
      [{ t: t + 5, dir: 'err', line: 'a "b"' }, '"ms":5,"dir":"err","line":"a \\"b\\""'],
      [{ t: t + 5, dir: 'a2c', line: 'x', bytes: 9 }, '"ms":5,"dir":"a2c","line":"x","bytes":9'],
      [exit, '"ms":5,"dir":"ev","ev":"exit","code":1,"signal":null'],
    ];
    for (const [event, text] of events) {
      assert.equal(journalLine(event, t), `{"t":"2026-11-20T12:00:00.005Z",${text}}`);
    }
  });

  it('is read however deep its message is nested', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const read = readJournalLine(`{"t":"2026-11-20T12:00:00.000Z","dir":"a2c","msg":${deep}}`);
    assert.ok(read?.dir === 'a2c' && read.line === deep);
  });

  it('is read past when it is half, or of another kind', () => {
    const halves = ['', '{"t":"2026-11-20T12:00:00.0', '{"journal":1}', '7', 'null'];
    const others = ['{"t":"x","dir":"err","line":""}', '{"t":"2026-11-20T12:00:00Z","dir":"ev","ev":"summary"}'];
    for (const line of [...halves, ...others]) assert.equal(readJournalLine(line), undefined, line);
  });
});

describe('a journal', () => {
  const temp = useFolder();
  let folder: string;
  beforeEach(() => (folder = temp.in('journals')));

  const fileOf = (part: number): string => new JournalFolder(folder).fileOf('My Agent', '12345678-9', t)(part);
  const writer = (options: Partial<JournalOptions> = {}): JournalWriter =>
    new JournalWriter({
      ...{ fileOf, header, startedAt: t, maxFileSize: 1e6, onProblem: (error) => assert.fail(error) },
      ...options,
    });
  const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
  const partOf = (line = ''): number => (JSON.parse(line) as { part: number }).part;

  it('begins with its header, has every event in order, and is the person’s alone', async () => {
    const journal = writer();
    for (let i = 0; i < 1000; i++) journal.write(message(`{"i":${i}}`));
    await journal.close();
    const [first, ...lines] = linesOf(journal.path!);
    assert.deepEqual(JSON.parse(first!), { ...header, part: 1 });
    const numbers = lines.map((line) => (JSON.parse(line) as { msg: { i: number } }).msg.i);
    assert.deepEqual(numbers, [...numbers.keys()]);
    assert.equal(numbers.length, 1000);
    if (process.platform !== 'win32') {
      assert.equal(statSync(journal.path!).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
  });

  it('has a file with its header as soon as it begins, and is on the disk without being closed', async () => {
    const journal = writer();
    await journal.begin();
    assert.equal(linesOf(journal.path!).length, 1);
    journal.write(message('{"i":1}'));
    await journal.flush();
    assert.equal(linesOf(journal.path!).length, 2);
    journal.write(message('{"i":2}'));
    journal.writeNow();
    assert.equal(linesOf(journal.path!).length, 3);
    await journal.close();
  });

  it('goes on in another file when it is full, each with a header', async () => {
    const journal = writer({ maxFileSize: 500 });
    for (let i = 0; i < 10; i++) {
      journal.write(message(`{"i":${i},"text":"${'x'.repeat(200)}"}`));
      await journal.flush();
    }
    await journal.close();
    const files = readdirSync(folder).sort();
    assert.ok(files.length > 3);
    const parts = files.map((file) => partOf(linesOf(join(folder, file))[0]));
    const numbers = files.map((_, index) => index + 1);
    assert.deepEqual(
      parts.sort((a, b) => a - b),
      numbers,
    );
  });

  it('that cannot be written says so once, and counts what is missing', async () => {
    const file = temp.in('file');
    writeFileSync(file, '');
    const problems: string[] = [];
    const onProblem = ({ message: text }: Error): number => problems.push(text);
    const journal = writer({ fileOf: () => join(file, 'journal.ndjson'), onProblem });
    for (let i = 0; i < 3; i++) journal.write(message('{}'));
    await journal.flush();
    journal.write(message('{}'));
    await journal.close();
    assert.equal(problems.length, 1);
    assert.equal(journal.missing, 4);
  });

  itIfDeletionShows('whose file is deleted says so once, and counts what is missing from then on', async () => {
    const problems: string[] = [];
    const journal = writer({ onProblem: ({ message: text }) => problems.push(text) });
    journal.write(message('1'));
    await journal.flush();
    rmSync(journal.path!);
    for (const line of ['2', '3']) {
      journal.write(message(line));
      await journal.flush();
    }
    assert.deepEqual(problems, ['its file was deleted']);
    assert.equal(journal.missing, 2);
    await journal.close();
  });

  it('begins on a new line after one that was cut', async () => {
    const cut = '{"t":"2026-11';
    for (const there of ['', cut, `${cut}\n`]) {
      for (const atOnce of [true, false]) {
        const path = temp.in('journal.ndjson');
        writeFileSync(path, there);
        const journal = writer({ fileOf: () => path });
        journal.write(message('1'));
        if (atOnce) journal.writeNow();
        else await journal.close();
        const before = there === '' ? [] : [cut];
        assert.deepEqual(linesOf(path).slice(0, -1), [...before, JSON.stringify({ ...header, part: 1 })]);
      }
    }
  });

  it('has what is on its way to the disk when the process ends, once and in order', async () => {
    for (const isOpen of [false, true]) {
      const journal = writer();
      const path = fileOf(1);
      if (isOpen) {
        journal.write(message('0'));
        await journal.flush();
      }
      for (let n = 1; n <= 100; n++) journal.write(message(String(n)));
      const flushed = journal.flush();
      await Promise.resolve(); // it looks for its file now
      journal.write(message('101'));
      journal.writeNow();
      const written = (): string[] => linesOf(path).flatMap((line) => /"msg":(\d+)}$/.exec(line)?.[1] ?? []);
      const expected = Array.from({ length: 102 }, (_, n) => String(n)).slice(isOpen ? 0 : 1);
      assert.deepEqual([partOf(linesOf(path)[0]), written()], [1, expected]);
      await flushed; // only a test lives on
      assert.deepEqual(written(), expected);
      await journal.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('has what comes while it is closed, and counts what comes after that', async () => {
    const journal = writer({});
    journal.write(message('1'));
    const closed = journal.close();
    journal.write(message('2'));
    await closed;
    journal.write(message('3'));
    assert.equal(linesOf(journal.path ?? '').filter((line) => line.includes('"msg"')).length, 2);
    assert.equal(journal.missing, 1);
    assert.ok(!journal.isBehind);
  });

  it("deletes nothing else: other files of the folder aren't ours", async () => {
    const journals = new JournalFolder(folder);
    const own = journals.fileOf('a', 'abcdef12', t)(2);
    const theirs = ['trace.ndjson', 'my own notes.ndjson', 'a b c 2.ndjson'].map((name) => join(folder, name));
    mkdirSync(folder, { recursive: true });
    for (const path of [own, ...theirs]) writeFileSync(path, 'x'.repeat(100));
    assert.equal(await journals.prune({ maxTotalSize: 1, maxAge: 1e12 }, Date.now(), new Set()), 1);
    assert.deepEqual(readdirSync(folder).sort(), ['a b c 2.ndjson', 'my own notes.ndjson', 'trace.ndjson']);
  });

  it('goes when it is too old, or the oldest when they are too many, but not while it is written', async () => {
    const journals = new JournalFolder(folder);
    assert.equal(await journals.prune({ maxTotalSize: 1, maxAge: 1 }, t, new Set()), 0);
    const paths = ['a', 'b', 'c', 'd'].map((id, i) => journals.fileOf(`../${id}/x`, id.repeat(8), t + i)(1));
    const first = writer();
    first.write(message('{}'));
    await first.close();
    rmSync(first.path!);
    paths.forEach((path, i) => {
      assert.equal(path.startsWith(folder), true);
      writeFileSync(path, 'x'.repeat(100));
      utimesSync(path, (t + i * 1000) / 1000, (t + i * 1000) / 1000);
    });
    assert.equal(await journals.prune({ maxTotalSize: 250, maxAge: 1e9 }, t + 5000, new Set([paths[0]!])), 1);
    assert.deepEqual(readdirSync(folder).length, 3);
    assert.equal(await journals.prune({ maxTotalSize: 1e9, maxAge: 2500 }, t + 5000, new Set()), 2);
    assert.deepEqual(readdirSync(folder).length, 1);
  });
});
