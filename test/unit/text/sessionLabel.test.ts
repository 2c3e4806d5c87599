import assert from 'node:assert/strict';
import { bugReport } from '../../../src/export/bugReport';
import { JsonFormat } from '../../../src/cli/tail/recordLines';
import { markedId, shortenId, shortId, withShortNamedIds, withShortSession } from '../../../src/text/sessionLabel';
import { DiagnosedWire } from '../../support/diagnosedWire';

/** As the replacement of a match, each of these repeats what is before it. */
const patterns = '$`$`$`$`';
const id = `session-0123${patterns}`;

describe('a session that is not known yet', () => {
  const [origin, fork] = ['01a202a5-56c2-79a3-93c3-469c8b5b1679', '01a202a5-5d56-7241-82ce-d1a2531bd210'];

  it('is shortened by the name of its field', () => {
    const forks = ['forkedFromId', 'forked_from'];
    for (const field of [...forks, 'parentSession', 'parent_thread_id', 'threadId', 'child-session']) {
      assert.equal(withShortNamedIds(`{"${field}":"${origin}"}`), `{"${field}":"…8b5b1679"}`);
    }
    const others = '"parentId":"3","thread_id":140234567890123,"parentToolUseId":"toolu_01ABCDEF","forkedFrom":"main"';
    assert.equal(withShortNamedIds(`{${others}}`), `{${others}}`);
  });

  it('is shortened in every record of a fork in version 2', () => {
    const wire = new DiagnosedWire()
      .ask('initialize', { protocolVersion: 2 }, { protocolVersion: 2 })
      .ask('session/fork', { sessionId: 'session-of-client', cwd: '/' }, { sessionId: fork });
    const update = { sessionUpdate: 'session_forked', forkedFrom: origin, parentSession: origin };
    wire.says({ method: 'session/update', params: { sessionId: fork, update } });
    wire.says({ method: '_codex/thread_forked', params: { threadId: fork, forkedFromId: origin } });
    const texts = wire.log.store.query().map(({ message, data }) => `${message} ${JSON.stringify(data)}`);
    assert.ok(texts.some((text) => text.includes('forkedFrom')));
    for (const text of texts) assert.ok(!text.includes(origin) && !text.includes(fork), text);
  });
});

describe('a session id', () => {
  it('is whole if it is short or only counts, and otherwise its last 8 characters', () => {
    const rows = [
      ['session-1', 'session-1', 'session-1'],
      ['20251129_12', '20251129_12', '20251129_12'],
      ['session-104211', 'session-104211', 'session-104211'],
      ['0c5f0f0e77ab', '0f0e77ab', '…0f0e77ab'],
      ['session-01234567abcd', '4567abcd', '…4567abcd'],
      ['', '(no id)', '(no id)'],
    ] as const;
    for (const [id, short, marked] of rows) {
      assert.deepEqual([shortId(id), markedId(id)], [short, marked]);
      assert.equal(withShortSession(`resume ${id}.`, id), `resume ${id === '' ? '' : marked}.`);
    }
    assert.equal(withShortNamedIds('{"sessionId":"session-104211"}'), '{"sessionId":"session-104211"}');
  });
});

describe('a session id of replacement patterns', () => {
  it('is shortened like any other', () => {
    const text = `${'x'.repeat(10_000)} ${id} and ${id}`;
    const short = `${'x'.repeat(10_000)} …${patterns} and …${patterns}`;
    assert.equal(withShortSession(text, id), short);
    assert.equal(shortenId(text, id), short);
  });

  it('makes no record, no report and no line of JSON longer than another id does', () => {
    const sizes = [id, 'session-01234567abcd'].map((sessionId) => {
      const wire = new DiagnosedWire()
        .ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1 })
        .ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId });
      for (let n = 0; n < 3; n++) {
        const params = { sessionId, text: `${'x'.repeat(300)} ${sessionId} ${sessionId}` };
        wire.ask('x/unknown', params).says({ id: 3 + n, error: { code: -32000, message: `no ${params.text}` } });
        wire.says({ method: 'x/odd', params });
      }
      const records = wire.log.store.query();
      const about = { agent: 'A', protocol: 'acp', command: [], startedAt: 0, versions: [] } as const;
      const format = new JsonFormat();
      const json = records.map((record) => format.record({ ...record, data: record.message }, undefined).text);
      const report = bugReport({ ...about, records, dropped: 0 }, (line) => line);
      return [records.map(({ message }) => message.length), json.join('').length, report.split('xxx').length];
    });
    assert.deepEqual(sizes[0], sizes[1]);
    assert.ok(sizes[0]!.flat().length > 10);
  });
});
