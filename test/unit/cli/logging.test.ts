import fc from 'fast-check';
import assert from 'node:assert/strict';
import { LineFilter } from '../../../src/cli/tap/relay/lineFilter';
import { declareLogging, loggingFilters } from '../../../src/cli/tap/relay/loggingFilters';
import type { ByteFilter } from '../../../src/cli/tap/relay/relay';

const logging = { level: 'debug' };
const declared = { logging, _meta: { 'agent-logs': { logging } } };

function initialize(params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}

function paramsAfter(params: object): unknown {
  const line = initialize(params);
  const declared = declareLogging(line, 'debug') ?? '';
  assert.notEqual(declared, line);
  return (JSON.parse(declared) as { params: unknown }).params;
}

/** All that a filter gives for these chunks. */
function filtered(filter: ByteFilter, sent: readonly (string | Buffer)[]): string {
  const out = sent.map((chunk) => filter.push(Buffer.from(chunk)) ?? Buffer.alloc(0));
  return Buffer.concat([...out, filter.end() ?? Buffer.alloc(0)]).toString('latin1');
}

/** A text in pieces of any size. */
function inPieces(text: string): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.integer({ min: 0, max: text.length })).map((cuts) => {
    const places = [0, ...cuts.sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, i) => text.slice(places[i], end));
  });
}

describe('tap --level: the declaration', () => {
  it('goes beside what the client declares, in the form of either version', () => {
    const second = { protocolVersion: 2, info: {} };
    const own = { terminal: true, logging, _meta: { a: 1, 'agent-logs': { logging } } };
    for (const [given, more] of [
      [{ protocolVersion: 1, clientCapabilities: { terminal: true, _meta: { a: 1 } } }, { clientCapabilities: own }],
      [{ protocolVersion: 1 }, { clientCapabilities: declared }],
      [second, { capabilities: declared }],
      [
        { ...second, clientCapabilities: {} },
        { capabilities: declared, clientCapabilities: declared },
      ],
    ]) {
      assert.deepEqual(paramsAfter({ ...given }), { ...given, ...more });
    }
  });

  const ownForm = { _meta: { 'agent-logs': { logging } } };
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const tooDeep = initialize({ protocolVersion: 1, _meta: 0 }).replace('0}}', () => `${deep}}}`);
  for (const [what, line] of [
    ['that takes logs itself', initialize({ protocolVersion: 1, clientCapabilities: { logging: {} } })],
    ['that takes logs itself, in our own form', initialize({ protocolVersion: 1, clientCapabilities: ownForm })],
    ['whose capabilities are nested too deep to be written again', tooDeep],
    ['whose ID it could not give back', '{"id":12345678901234567890,"method":"initialize","params":{}}'],
  ] as const) {
    it(`leaves a client alone ${what}`, () => assert.equal(declareLogging(line, 'debug'), line));
  }

  const others = ['', '{"method":"initialize"', '"initialize"', '{"method":"initialize"}'];
  for (const line of [...others, '{"method":"x","params":"initialize"}']) {
    it(`looks at nothing but the first request: ${line}`, () => assert.equal(declareLogging(line, 'debug'), undefined));
  }
});

describe('tap --level: the relay', () => {
  const first = initialize({ protocolVersion: 1, clientCapabilities: {} });
  const log = '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"m"}}';
  const kept = [
    '{"jsonrpc":"2.0","id":0,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"log","params":{}}', // a request, which wasn't declared
    '{"jsonrpc":"2.0","method":"_posthog/console","params":{"message":"log"}}', // sent to any client
    'junk "log" \u00ff',
    '',
    '{"text":"the \\"log\\" of today","method":"session/update"}\r',
  ];

  it('changes one line of the client and leaves out the log notifications, however the bytes come', () => {
    fc.assert(
      fc.property(
        inPieces(`${first}\n${log}\n${first}\nrest`),
        inPieces(`${[log, ...kept, log, log].join('\n')}\nrest`),
        (up, down) => {
          const { c2a, a2c } = loggingFilters('debug');
          const sent = filtered(c2a, up).split('\n');
          const params = { protocolVersion: 1, clientCapabilities: declared };
          assert.deepEqual(JSON.parse(sent[0] ?? ''), { ...JSON.parse(first), params });
          assert.deepEqual(sent.slice(1), [log, first, 'rest']);
          const bytes = down.map((piece) => Buffer.from(piece, 'latin1'));
          assert.equal(filtered(a2c, bytes), `${kept.join('\n')}\nrest`);
        },
      ),
    );
  });

  it('changes nothing at all for a client that takes logs itself', () => {
    const { c2a, a2c } = loggingFilters('debug');
    const own = `${initialize({ protocolVersion: 1, clientCapabilities: { logging: {} } })}\n`;
    assert.equal(filtered(c2a, [own]), own);
    assert.equal(filtered(a2c, [`${log}\n`, 'half a ', 'line']), `${log}\nhalf a line`);
  });

  it('passes on a line that is too long to be looked at, as it comes', () => {
    const filter = new LineFilter({ isDone: () => false, concerns: () => true, replace: () => undefined });
    const long = Buffer.alloc(700 * 1024, 'x');
    assert.equal(filter.push(long), undefined);
    assert.equal(filter.push(long)?.length, 2 * long.length);
    assert.equal(filter.push(Buffer.from('end\ngone\nnext'))?.toString(), 'end\n');
    assert.equal(filter.end()?.toString(), 'next');
  });
});
