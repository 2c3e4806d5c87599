import assert from 'node:assert/strict';
import type { BugReportInput } from '../../../src/export/bugReport';
import { bugReport, maxReportBytes } from '../../../src/export/bugReport';
import { localTime, zonedTime } from '../../../src/text/format';
import type { LogRecord } from '../../../src/text/record';
import { Redactor } from '../../../src/redact/redactor';

const sessionId = 'ses_0123456789abcdef';

function record(seq: number, fields: Partial<LogRecord>): LogRecord {
  return { seq, receivedAt: 1000 + seq, level: 'info', kind: 'activity', message: 'm', sessionId, ...fields };
}

function diagnosis(seq: number, level: LogRecord['level'], logger: string, message: string, data: object): LogRecord {
  return record(seq, { kind: 'diagnosis', level, logger, message, data });
}

function report(fields: Partial<BugReportInput>): string {
  const redactor = new Redactor();
  const run = { agent: 'Mine', protocol: 'acp', command: ['mine', '--acp'], startedAt: 1000 } as const;
  const input: BugReportInput = { ...run, versions: [['VS Code', '1.130.0']], records: [], dropped: 0, ...fields };
  return bugReport(input, (line) => redactor.line(line));
}

describe('bug report', () => {
  it('has versions, diagnoses with the worst first, the end, the last lines and the capabilities', () => {
    const result = { protocolVersion: 1, agentInfo: { name: 'mine', version: '2.0' } };
    const text = report({
      initialize: {
        params: { clientCapabilities: { terminal: false } },
        result: { ...result, agentCapabilities: { loadSession: true } },
      },
      records: [
        diagnosis(1, 'warning', 'retrying', 'once.', { since: 1, count: 1 }),
        diagnosis(2, 'warning', 'retrying', 'five times.', { since: 1, count: 5 }),
        diagnosis(3, 'error', 'failed-turn', 'it failed.', { since: 2, count: 1 }),
        record(4, { message: 'the last' }),
      ],
      termination: { reason: 'error', terminatedBy: 'agent', exitCode: 3 },
      endedAt: 2000,
    });
    for (const part of [
      /^# Mine \(acp\)\n/,
      /- Command: mine --acp\n- Agent: mine 2\.0\n- Protocol version: 1\n- VS Code: 1\.130\.0\n/,
      /## Diagnoses\n\n- \*\*error\*\* failed-turn in session `89abcdef`: it failed\.\n- \*\*warning\*\* retrying in session `89abcdef`: five times\.\n\n/,
      /## How it ended\n\n```text\nMine failed\.\nEnded: .*\nExit code: {2}3\n/,
      /\{"terminal":false\}[^]*\{"loadSession":true\}/,
    ]) {
      assert.match(text, part);
    }
    assert.ok(text.includes(`\n${localTime(1004)} info      [89abcdef] the last\n\`\`\``));
    assert.ok(text.includes(`- Started: ${zonedTime(1000)}\n`));
    assert.ok(text.includes(`Ended:      ${zonedTime(2000)}\n`));
  });

  it('of a server says so', () => {
    const result = { serverInfo: { name: 'mine', version: '2.0' }, capabilities: { tools: {} } };
    const text = report({ protocol: 'mcp', initialize: { params: {}, result } });
    assert.match(text, /\n- Server: mine 2\.0\n[^]*\nServer:\n/);
  });

  it('has the turns in a block, without secrets and whole session ids', () => {
    const key = `sk-proj-${'aB3'.repeat(12)}`;
    const text = report({
      turns: `ok · 2.0 s · Use ${key} in ${sessionId}\n|███ | tool \`\`\`\n# x`,
      records: [record(1, {})],
    });
    const block = /\n\n## Turns\n\n(`{4})text\nok · (.*)\n\|███ \| tool ```\n# x\n\1\n\n## Last lines\n/.exec(text);
    assert.ok(block, text);
    assert.ok(!text.includes(key) && !text.includes(sessionId));
    assert.doesNotMatch(report({ turns: '' }), /Turns/);
  });

  it('tells no secrets, no whole session ids and no home folder', () => {
    const text = report({
      command: ['/home/jane/bin/mine'],
      home: '/home/jane',
      records: [
        record(1, { message: `session ${sessionId}` }),
        record(2, { message: 'api_key=sk-ant-REDACTED123456789' }),
        record(3, { kind: 'diagnosis', logger: 'x', message: `in ${sessionId}`, data: {} }),
      ],
    });
    assert.ok(!text.includes(sessionId) && !text.includes('ses_0123'));
    assert.ok(!text.includes('REDACTED123456789'));
    assert.match(text, /Command: ~\/bin\/mine/);
  });

  it('lets no text out of its place', () => {
    const text = report({
      agent: '@someone <img>',
      records: [
        record(1, { message: '````\n# Heading' }),
        record(2, { kind: 'diagnosis', message: '[x](http://y) @all', data: {} }),
      ],
    });
    assert.match(text, /^# `@someone` `<img>` /);
    assert.match(text, /\n`````text\n/);
    assert.ok(!/\n# Heading/.test(text));
    assert.ok(text.includes(': `[x](http://y)` `@all`'));
  });

  it('has no capabilities of a side that is not known, and escapes no name', () => {
    const text = report({
      initialize: { result: { agentCapabilities: { loadSession: true } } },
      records: [record(1, { kind: 'diagnosis', logger: 'x', message: 'agent_message_chunk _came_ late', data: {} })],
    });
    assert.doesNotMatch(text, /Client|null/);
    assert.ok(text.includes('agent_message_chunk `_came_` late'));
  });

  it('has no ANSI escapes, not even in JSON', () => {
    const red = '\u001b[31mred\u001b[0m';
    const stderr = { head: red, tail: red, truncated: true, totalLines: 2 };
    const text = report({
      command: [red],
      turns: red,
      records: [record(1, { message: red, logger: red }), record(2, { kind: 'diagnosis', message: red, data: {} })],
      initialize: { result: { agentInfo: { name: red }, agentCapabilities: { name: red, protocolVersion: red } } },
      termination: { reason: 'error', terminatedBy: 'agent', stderr },
    });
    assert.equal(text.match(/red/g)?.length, 11);
    assert.doesNotMatch(text, /\u001b|\\u001b|\[31m/);
  });

  it('stays small, and says that it was cut', () => {
    const long = { message: 'long '.repeat(1000), logger: 'l'.repeat(1000) };
    const kindOf = (i: number) => (i % 2 ? 'diagnosis' : 'log');
    const records = Array.from({ length: 5000 }, (_, i) => record(i, { ...long, kind: kindOf(i), data: { since: i } }));
    const result = { agentCapabilities: { x: '\n'.repeat(1e6) } };
    const command = Array.from({ length: 1e4 }, () => 'x');
    const text = report({ records, dropped: 7, initialize: { result }, command });
    assert.ok(Buffer.byteLength(text) <= maxReportBytes, `${Buffer.byteLength(text)}`);
    assert.ok(/and 2470 more/.test(text));
    assert.ok(/4927 earlier ones are left out/.test(text));
    const foreign = records.map((each) => ({ ...each, message: '世界'.repeat(1000) }));
    assert.ok(Buffer.byteLength(report({ records: foreign })) <= maxReportBytes);
    const versions = Array.from({ length: 1000 }, (_, i): readonly [string, string] => [`${i}`, 'v'.repeat(300)]);
    assert.match(report({ versions }), /… the report was cut here\n$/);
  });
});
