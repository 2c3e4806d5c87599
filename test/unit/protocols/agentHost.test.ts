import assert from 'node:assert/strict';
import { recognise } from '../../../src/protocols/recognise';
import { readSavedLines } from '../../support/savedRun';

/** Messages as VS Code 1.139 logs them, shortened. */
const lines = [
  ['c2s', { id: 1, method: 'initialize', params: { channel: 'ahp-root://', protocolVersions: ['0.9.0'] } }],
  ['s2c', { id: 1, result: { protocolVersion: '0.9.0', serverSeq: 3, snapshots: [] } }],
  [
    'c2s',
    {
      method: 'dispatchAction',
      params: { channel: 'ahp-root://', clientSeq: 0, action: { type: 'root/configChanged', config: {} } },
    },
  ],
  ['c2s', { id: 2, method: 'createSession', params: { channel: 'copilotcli:/abc' } }],
  ['s2c', { id: 2, error: { code: -32000, message: 'Not signed in' } }],
  [
    's2c',
    {
      method: 'action',
      params: { channel: 'copilotcli:/abc', action: { type: 'session/turnStarted', turn: { id: 't1' } } },
    },
  ],
] as const;
const text = lines.map(([dir, message], index) => {
  const _ahpLog = {
    ts: `2026-11-23T07:33:5${index}.282Z`,
    dir,
    connectionId: 'c',
    transport: 'websocket',
    byteLength: 1,
  };
  return JSON.stringify({ jsonrpc: '2.0', ...message, _ahpLog });
});

describe("the log of VS Code's agent host", () => {
  it('is recognized, and read in both directions with its times', () => {
    assert.equal(recognise(text).type, 'agent-host');
    const log = readSavedLines(text);
    assert.deepEqual(
      log.store.query().map(({ level, logger, message }) => `${level} ${logger ?? '-'}: ${message}`),
      [
        'info initialize: answered in 1.0 s',
        'debug dispatchAction: root/configChanged',
        'error createSession: copilotcli:/abc: failed after 1.0 s: Not signed in (-32000)',
        'info action: copilotcli:/abc: session/turnStarted',
      ],
    );
  });

  it('is read although lines are cut, reordered or from others', () => {
    const cut = [
      ...text.slice(2),
      text[0]?.slice(0, 90) ?? '',
      '{"jsonrpc":"2.0","_ahpLog":{"ts":"x","dir":"c2s"}}',
      '[]',
    ];
    assert.ok(
      readSavedLines(cut)
        .store.query()
        .every(({ message }) => !message.startsWith('could not be read')),
    );
    assert.equal(recognise(['{"jsonrpc":"2.0","method":"x"}']).type, 'log');
  });
});
