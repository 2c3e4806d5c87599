import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Recognised } from '../../../../src/agents/reading/recognise';
import { recognise } from '../../../../src/agents/reading/recognise';
import { journalLine } from '../../../../src/wire/journal/journalLine';
import type { WireDirection } from '../../../../src/wire/wireEvent';

const header =
  '{"journal":1,"agent":"a","protocol":"acp","command":["x"],"cwd":"/","startedAt":"2026-11-20T12:00:00Z"}';

function beginning(file: string): string[] {
  return readFileSync(file, 'utf8').slice(0, 65_536).split('\n').slice(0, 20);
}

/** A journal line. */
function crossed(msg: unknown, dir: WireDirection = 'c2a'): string {
  return journalLine({ t: 0, dir, line: JSON.stringify(msg), msg }, 0);
}

describe('file recognition', () => {
  for (const file of readdirSync('test/fixtures/transcripts')) {
    const protocol = /^(?:mcp|lsp)(?=-)/.exec(file)?.[0] ?? 'acp';
    it(`${file} is a transcript of ${protocol}`, () => {
      const found = recognise(beginning(join('test/fixtures/transcripts', file)));
      assert.deepEqual(found, { type: 'transcript', protocol });
    });
  }

  it('reads a journal whose header names an unknown protocol by its messages', () => {
    const found = recognise([
      JSON.stringify({ journal: 1, agent: 'a', protocol: 'acp9', command: [], cwd: '/', startedAt: '', part: 1 }),
      crossed({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} }),
    ]);
    assert.ok(found.type === 'journal');
    assert.deepEqual([found.header.protocol, found.protocol], ['', 'mcp']);
  });

  it('takes a line that a stream and a saved session share for neither, if others decide', () => {
    const [header = '', ...events] = beginning('test/fixtures/streams/pi-tools.ndjson');
    assert.deepEqual(recognise([header]), { type: 'saved', agent: 'pi' });
    assert.deepEqual(recognise([header, events[0] ?? '']), { type: 'stream-json', agent: 'pi' });
    const copilot = beginning('test/fixtures/streams/copilot-written.ndjson');
    const shared = copilot.filter((line) => !line.includes('"ephemeral":true'));
    assert.deepEqual(recognise(shared.slice(0, 3)), { type: 'saved', agent: 'copilot' });
    assert.deepEqual(recognise([...shared.slice(0, 3), copilot[0] ?? '']), { type: 'stream-json', agent: 'copilot' });
  });

  const cases: [string, string[], Recognised][] = [
    ['nothing', [], { type: 'text' }],
    ['empty lines', ['', '  '], { type: 'text' }],
    ['text', ['2026-11-20 INFO started', '{ not JSON'], { type: 'text' }],
    ['standard error', beginning('test/fixtures/streams/codex.stderr.txt'), { type: 'text' }],
    ['a log', ['{"level":30,"msg":"a"}', '{"level":30,"ms', 'oops'], { type: 'log' }],
    ['OTLP/JSON', ['{"resourceLogs":[]}'], { type: 'log' }],
    ['OTLP/JSON that was cut', ['{"resourceLogs":[{"reso'], { type: 'log' }],
    ['a log of results', ['{"type":"result","status":"success"}', '{"type":"error","message":"m"}'], { type: 'log' }],
    ['a list', ['[1]'], { type: 'text' }],
  ];
  for (const [what, lines, expected] of cases) it(what, () => assert.deepEqual(recognise(lines), expected));

  it('reads the journal header, and trusts none of it', () => {
    const { type, header: read, ...rest } = recognise([header]) as Extract<Recognised, { type: 'journal' }>;
    assert.deepEqual([type, rest], ['journal', { protocol: 'acp' }]);
    assert.deepEqual(read, { ...(JSON.parse(header) as object), part: 1 });
    const broken = recognise(['{"journal":1,"agent":7,"command":["a",1],"part":-1}']);
    assert.deepEqual(broken, {
      type: 'journal',
      header: { journal: 1, agent: '', protocol: '', command: ['a'], cwd: '', startedAt: '', part: 1 },
    });
    assert.deepEqual(recognise(['{"journal":2}']), { type: 'log' });
  });

  const spoken: [string, string, Recognised & { type: 'transcript' }][] = [
    ['initialize with a number', crossed({ method: 'initialize', params: { protocolVersion: 1 } }), spoke('acp')],
    ['initialize with a date', crossed({ method: 'initialize', params: { protocolVersion: '2' } }), spoke('mcp')],
    ['initialize with a process', crossed({ method: 'initialize', params: { processId: null } }), spoke('lsp')],
    ['a tool of MCP', crossed({ method: 'tools/call', params: {} }), spoke('mcp')],
    ['an update of ACP', crossed({ method: 'session/update', params: {} }, 'a2c'), spoke('acp')],
    ['a message of LSP', crossed({ method: 'window/logMessage', params: {} }, 'a2c'), spoke('lsp')],
    ['a header of LSP', '{"t":"2026-11-20T12:00:00Z","dir":"c2a","line":"Content-Length: 12"}', spoke('lsp')],
    ['an event of Codex', crossed({ type: 'turn.started' }, 'a2c'), spoke('stream-json')],
    ['a list of messages', crossed([{ method: 'tools/list' }]), spoke('mcp')],
    ['anything else', crossed({ method: '_x' }), { type: 'transcript' }],
    ['what is no message', crossed(7), { type: 'transcript' }],
  ];
  for (const [what, line, expected] of spoken) {
    it(`recognizes the protocol by ${what}`, () => {
      assert.deepEqual(recognise([line]), expected);
      const { type: _type, ...protocol } = expected;
      const journal = recognise([header.replace('"acp"', '"?"'), line]);
      assert.deepEqual({ ...journal, header: undefined }, { type: 'journal', header: undefined, ...protocol });
    });
  }

  it('prefers initialize to earlier messages', () => {
    const lines = [{ method: 'session/x' }, { method: 'initialize', params: { protocolVersion: 'x' } }].map((msg) =>
      crossed(msg),
    );
    assert.deepEqual(recognise(lines), spoke('mcp'));
  });

  it('handles any input in linear time', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => recognise(lines).type.length > 0));
    for (const unit of ['{', '{"a":', '{"a":1,', '{"a":"\\', '  ', '[']) {
      recognise(new Array<string>(20).fill(unit.repeat(100_000)));
    }
  });
});

function spoke(protocol: 'acp' | 'mcp' | 'lsp' | 'stream-json'): { type: 'transcript'; protocol: typeof protocol } {
  return { type: 'transcript', protocol };
}
