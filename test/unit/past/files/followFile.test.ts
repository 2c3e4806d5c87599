import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { FileRun } from '../../../../src/past/files/fileRun';
import { RecordStore } from '../../../../src/store/store';
import type { FileRuns } from '../../../../src/past/files/fileRuns';
import { followFile } from '../../../../src/past/files/followFile';
import { LogReader } from '../../../../src/runLog/reading/logReader';
import { RunLog } from '../../../../src/runLog/runLog';
import { RunLogSink } from '../../../../src/past/files/runLogSink';
import type { RunViewState } from '../../../../src/runLog/runView';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { newFileRuns } from '../../../support/fileRuns';
import { entry, exit, header, linesText, log as logged } from '../../../support/journalText';
import { isWindows, itIfDeletionShows, itUnless } from '../../../support/platform';
import { messagesOf as messages } from '../../../support/savedRun';
import { useFolder } from '../../../support/tempFolder';

describe('followed files', () => {
  let fileRuns: FileRuns;
  afterEach(() => fileRuns.dispose());
  const folder = useFolder();
  beforeEach(() => {
    const [journals, taps] = ['journals', 'taps'].map((name) => new JournalFolder(folder.in(name)));
    fileRuns = newFileRuns(journals, {}, taps);
  });

  const pino = (msg: string): string => linesText({ level: 30, time: 1_795_174_410_122, name: 'app', msg });

  async function open(name: string, origin: 'opened' | 'past' = 'opened'): Promise<FileRun> {
    const run = await fileRuns.at(folder.in(name), origin);
    await fileRuns.show(run);
    await run.read();
    return run;
  }

  /** Resolves when the run has a record with that message. */
  function until(run: FileRun, text: string): Promise<void> {
    if (messages(run).includes(text)) return Promise.resolve();
    return new Promise((resolve) => {
      const listener = run.log.onDidChange(() => {
        if (!messages(run).includes(text)) return;
        listener.dispose();
        resolve();
      });
    });
  }

  it('report the size that was read', async () => {
    const path = folder.in('app.ndjson');
    const sized = (run: FileRun, text: string): Promise<void> =>
      new Promise((resolve) => {
        const listener = run.onDidChangeState(() => {
          if (run.size !== text.length) return;
          listener.dispose();
          resolve();
        });
      });
    writeFileSync(path, pino('one'));
    const run = await open('app.ndjson');
    assert.equal(run.size, pino('one').length);
    const grown = sized(run, pino('one') + pino('two'));
    appendFileSync(path, pino('two'));
    await grown;
    const anew = sized(run, pino('3'));
    truncateSync(path);
    await until(run, 'The file was replaced, or another run starts here');
    writeFileSync(path, pino('3'));
    await anew;
  });

  it('show existing content, then what is appended', async () => {
    writeFileSync(folder.in('app.ndjson'), pino('one'));
    const run = await open('app.ndjson');
    assert.deepEqual([run.name, run.protocol, run.state.type], ['app.ndjson', 'log', 'following']);
    appendFileSync(folder.in('app.ndjson'), pino('two') + pino('three').slice(0, 20));
    await until(run, 'two');
    appendFileSync(folder.in('app.ndjson'), pino('three').slice(20));
    await until(run, 'three');
    assert.deepEqual(messages(run), ['one', 'two', 'three']);
    assert.equal(run.log.store.query()[0]?.time, 1_795_174_410_122);
  });

  it('are read from the beginning when truncated or replaced', async () => {
    const path = folder.in('app.ndjson');
    writeFileSync(path, pino('one') + pino('two'));
    const run = await open('app.ndjson');
    truncateSync(path);
    await until(run, 'The file was replaced, or another run starts here');
    writeFileSync(path, pino('again'));
    await until(run, 'again');
    renameSync(path, `${path}.1`);
    writeFileSync(path, pino('another'));
    await until(run, 'another');
    const told = messages(run).filter((text) => !text.startsWith('The file'));
    assert.deepEqual(told, ['one', 'two', 'again', 'another']);
  });

  itIfDeletionShows('may go, and come again', async () => {
    const path = folder.in('app.ndjson');
    writeFileSync(path, pino('one'));
    const run = await open('app.ndjson');
    rmSync(path);
    writeFileSync(path, pino('two'));
    await until(run, 'two');
  });

  it('end with the journal’s end, or with the process that writes it', async () => {
    const path = folder.in('taps.ndjson');
    const lines = (pid: number): string => header({ tap: { pid }, startedAt: '' }) + entry(5, 'err', { line: 'hello' });
    writeFileSync(path, lines(process.pid));
    const run = await open('taps.ndjson');
    assert.equal(run.state.type, 'following');
    const over = new Promise<void>((resolve) => run.onDidChangeState(({ type }) => type === 'ended' && resolve()));
    appendFileSync(path, exit(9, 3));
    await over;
    const { state } = run as { readonly state: RunViewState };
    assert.ok(state.type === 'ended' && state.termination.exitCode === 3);

    const abandoned = folder.in('abandoned.ndjson');
    writeFileSync(abandoned, lines(2 ** 22 + 1));
    const other = await fileRuns.at(abandoned, 'opened');
    await fileRuns.show(other);
    await new Promise<void>((resolve) => other.onDidChangeState(({ type }) => type === 'ended' && resolve()));
    assert.ok(messages(other).includes('The process that wrote this file has exited without recording an end'));
  });

  it('open automatically if a tap writes them', async () => {
    const taps = new JournalFolder(folder.in('taps'));
    const path = taps.fileOf('Tapped', 'abcdef12', 0)(1);
    mkdirSync(folder.in('taps'));
    writeFileSync(path, header({ agent: 'Tapped', tap: { pid: process.pid }, startedAt: '' }));
    await fileRuns.refresh();
    assert.deepEqual(fileRuns.open.map(({ name, info }) => [name, info.origin]).flat(), ['Tapped', 'tapped']);
    assert.deepEqual(fileRuns.listed, []);
    // When closed, it is listed as a past run.
    fileRuns.close(fileRuns.open[0] ?? assert.fail('nothing is open'));
    await fileRuns.refresh();
    assert.deepEqual([fileRuns.open.length, fileRuns.listed.length], [0, 1]);
  });

  it('lose nothing written to one part of a journal just before the next', async () => {
    const stderr = (line: string): string => entry(1000, 'err', { line });
    const path = folder.in('j.ndjson');
    writeFileSync(path, header() + stderr('one'));
    const log = new RunLog(new RecordStore(1e6), 0);
    const reader = new LogReader(new RunLogSink(log, 0), { redactor: undefined });
    const recognise = reader.recognise.bind(reader);
    let written = false;
    reader.recognise = () => {
      recognise();
      if (written) return;
      written = true;
      // After the end of the file was seen, and before the next poll.
      appendFileSync(path, stderr('two'));
      writeFileSync(folder.in('j 2.ndjson'), header({ part: 2 }) + stderr('three'));
    };
    await followFile({ path, reader, modifiedAt: 0 });
    reader.complete();
    assert.deepEqual(messages({ log }), ['one', 'two', 'three']);
  });

  itUnless(isWindows, 'Windows replaces no open file')(
    'has its last line, though that has no end, when another takes its place',
    async () => {
      const path = folder.in('app.ndjson');
      writeFileSync(path, pino('one') + pino('two').trimEnd());
      const run = await open('app.ndjson');
      writeFileSync(folder.in('next'), pino('three'));
      renameSync(folder.in('next'), path);
      await until(run, 'three');
      const told = messages(run).filter((text) => !text.startsWith('The file'));
      assert.deepEqual(told, ['one', 'two', 'three']);
    },
  );

  it("don't hang if an old recording breaks off in a turn", async () => {
    const say = (dir: 'c2a' | 'a2c', fields: object): string =>
      entry(0, dir, { line: JSON.stringify({ jsonrpc: '2.0', ...fields }) });
    const prompt = [{ type: 'text', text: 'hi' }];
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'words' } };
    const lines = [
      say('c2a', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } }),
      say('a2c', { id: 1, result: { sessionId: 's' } }),
      say('c2a', { id: 2, method: 'session/prompt', params: { sessionId: 's', prompt } }),
      say('a2c', { method: 'session/update', params: { sessionId: 's', update } }),
    ];
    writeFileSync(folder.in('old.ndjson'), lines.join(''));
    const run = await open('old.ndjson');
    await until(run, 'words');
    assert.deepEqual(run.log.store.query({ kinds: ['diagnosis'] }), []);
  });

  it('accept messages as long as a tap keeps them', async () => {
    writeFileSync(folder.in('tapped.ndjson'), header() + logged('x'.repeat(12 * 1024 * 1024)));
    const { info } = await fileRuns.at(folder.in('tapped.ndjson'), 'opened');
    const run = new FileRun(info, { level: 'info', maxMemory: 1e8, redaction: undefined });
    await run.read();
    await run.dispose();
    const [record] = run.log.store.query({ kinds: ['log'] });
    assert.equal(record?.message.startsWith('xxx'), true);
  });

  it("report a reader that can't be loaded instead of waiting for it", async () => {
    writeFileSync(folder.in('run.ndjson'), '{}\n');
    const { info } = await fileRuns.at(folder.in('run.ndjson'), 'opened');
    const run = new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined }, () =>
      Promise.reject(new Error('no such file')),
    );
    await Promise.all([run.begin(), run.read()]);
    assert.ok(run.state.type === 'ended' && run.state.termination.reason === 'error');
    const [record] = run.log.store.query();
    assert.match(record?.message ?? '', /can't be read: no such file\. Reload the window/);
  });

  it("don't end if the process is restarted", async () => {
    const path = folder.in('mcp.ndjson');
    const spawn = (ms: number): string => entry(ms, 'ev', { ev: 'spawn', pid: 1, command: ['x'], cwd: '/' });
    const restarted = spawn(1000) + exit(2000, 1) + spawn(3000);
    writeFileSync(path, header({ protocol: 'mcp', host: { pid: process.pid }, startedAt: '' }) + restarted);
    const run = await open('mcp.ndjson');
    assert.deepEqual([run.info.termination, run.state.type], [undefined, 'following']);
    const ended = new Promise<RunViewState>((resolve) =>
      run.onDidChangeState((state) => state.type === 'ended' && resolve(state)),
    );
    appendFileSync(path, exit(4000));
    const last = await ended;
    assert.ok(last.type === 'ended' && last.termination.exitCode === 0);
  });

  it('are shown once, even if two searches run at a time', async () => {
    const path = folder.in('app.ndjson');
    writeFileSync(path, pino('one'));
    const show = async (): Promise<FileRun> => fileRuns.show(await fileRuns.at(path, 'watched'));
    const [first, second] = await Promise.all([show(), show()]);
    assert.equal(first, second);
    assert.equal(fileRuns.open.length, 1);
  });

  it("in the journal folder aren't listed again if opened as a file", async () => {
    const journals = new JournalFolder(folder.in('journals'));
    const path = journals.fileOf('A', 'abcdef12', 0)(1);
    mkdirSync(folder.in('journals'));
    writeFileSync(path, entry(0, 'err', { line: 'x' }));
    await fileRuns.show(await fileRuns.at(path, 'opened'));
    await fileRuns.refresh();
    assert.deepEqual([fileRuns.open.length, fileRuns.listed.length], [1, 0]);
  });
});
