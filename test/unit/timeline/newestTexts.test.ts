import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/wire/protocol';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../src/runLog/runLog';
import { callTexts } from '../../../src/timeline/newestTexts';
import { callText, toolInput } from '../../../src/work/tools/callText';
import { eventsOf } from '../../diagnosis/recordings';
import { line } from '../../support/wireRows';

describe('texts of tool calls', () => {
  it('are cut, and say how much is missing', () => {
    const result = callText(undefined, 'short', ` ${'x'.repeat(3000)}\n`);
    assert.deepEqual(result, { text: 'x'.repeat(2000), missing: 1000 });
    const { args } = toolInput({ text: 'x'.repeat(3000) });
    assert.equal(args?.text.length, 2001);
    assert.equal(args.missing, '{"text":""}'.length + 1000);
    assert.equal(toolInput(undefined).args, undefined);
    assert.equal(callText('  '), undefined);
  });

  it('cut circular arguments of other extensions', () => {
    const given: Record<string, unknown> = { text: 'x'.repeat(3000) };
    given['self'] = given;
    assert.equal(toolInput(given).args?.missing, 1);
  });

  it('are kept of the newest calls, within a limit', () => {
    const texts = callTexts();
    const result = callText('x'.repeat(2000));
    for (let i = 0; i < 2000; i++) texts.set(`tool-${i}`, { args: undefined, result });
    assert.equal(texts.get('tool-999'), undefined);
    assert.equal(texts.get('tool-1000')?.result, result);
    texts.set('tool-1000', { args: undefined, result: undefined });
    texts.set('tool-2000', { args: undefined, result });
    assert.notEqual(texts.get('tool-1001'), undefined);
    texts.clear();
    assert.equal(texts.get('tool-2000'), undefined);
  });
});

describe('texts of tool calls: as agents report them', () => {
  const reported: readonly [file: string, protocol: Protocol, args: RegExp, result: RegExp][] = [
    ['streams/claude-written.ndjson', 'stream-json', /^{"command":"npm test"/, /^Exit code 1\n1 failing/],
    ['streams/codex-written.ndjson', 'stream-json', /^{"q":"retry"}$/, /^two hits$/],
    ['streams/opencode-tools.ndjson', 'stream-json', /^{"command":"ls"}$/, /^README.md\nrun-tests.sh/],
    ['streams/gemini-written.ndjson', 'stream-json', /^{"command":"ls"/, /^a.txt\nb.txt$/],
    ['streams/qwen-tools.ndjson', 'stream-json', /^{"command":"ls"}$/, /^README.md/],
    ['streams/kimi-tools.ndjson', 'stream-json', /^{"command":"ls"}$/, /^README.md/],
    ['transcripts/codex-mock-ok.ndjson', 'acp', /^{"command":"echo out;/, /^out\nerr$/],
    ['transcripts/sdk012-example-agent.ndjson', 'acp', /^{"path":"\/project\/README.md"}$/, /^# My Project/],
  ];
  for (const [file, protocol, args, result] of reported) {
    it(file, () => {
      const log = new RunLog(new RecordStore(1e8), 0);
      const reader = interpretation(protocol, log);
      for (const event of eventsOf(`test/fixtures/${file}`, protocol)) reader.accept(event);
      const texts = log.spans({ kinds: ['tool'] }).map(({ id }) => log.textsOf(id));
      const found = texts.find((one) => args.test(one?.args?.text ?? ''));
      assert.match(found?.result?.text ?? '', result);
    });
  }

  it('MCP: whole results, also of other content and of failures', () => {
    const log = new RunLog(new RecordStore(1e8), 0);
    const reader = interpretation('mcp', log);
    const text = (words: string): object => ({ type: 'text', text: words });
    const answers = [
      { result: { content: [text('one'), { type: 'image', data: 'aGk=' }, text('two')] } },
      { result: { structuredContent: { copies: 3 } } },
      { error: { code: -32602, message: 'No such book.' } },
    ];
    for (const [id, answer] of answers.entries()) {
      reader.accept(line(id * 10, 'c2a', { id, method: 'tools/call', params: { name: 'find', arguments: { id } } }));
      reader.accept(line(id * 10 + 5, 'a2c', { id, ...answer }));
    }
    const results = log.spans({ kinds: ['tool'] }).map(({ id }) => log.textsOf(id)?.result?.text);
    assert.deepEqual(results, ['one (image) two', '{"copies":3}', 'No such book.']);
  });
});
