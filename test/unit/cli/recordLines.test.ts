import { deepJson } from '../../../src/text/jsonText';
import { t } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import type { LogRecord } from '../../../src/text/record';
import type { Entry } from '../../../src/cli/context';
import { JsonFormat, TextFormat } from '../../../src/cli/tail/recordLines';

const receivedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const record: LogRecord = { seq: 1, receivedAt, level: 'alert', kind: 'log', message: 'a\n\u001b[31mb' };

function written(entry: Entry | undefined): string {
  return entry === undefined ? '' : entry.lead + entry.text;
}

describe('tail: lines', () => {
  it('have colour only if it is wanted, and never the agent’s own', () => {
    const plain = written(new TextFormat(false).record(record, undefined));
    assert.match(plain, /^2026-01-0\d \d\d:\d\d:05\.006 \[error\] \[connection\] ALERT a\n {4}b$/);
    const coloured = written(new TextFormat(true).record(record, undefined)).replaceAll('\u001b', '␛');
    assert.match(coloured, /^␛\[2m[^␛]*␛\[0m ␛\[1;31m\[error\]␛\[0m \[connection\] ALERT a\n {4}b$/);
  });

  it('name a session by its title, and by the end of its id in JSON', () => {
    const sessionId = 'session-0123456789';
    const ofSession = { ...record, sessionId };
    assert.match(written(new TextFormat(false).record(ofSession, 'My title')), / \[My title\] ALERT /);
    const json = JSON.parse(new JsonFormat().record(ofSession, 'My title').text) as Record<string, unknown>;
    assert.equal(json['session'], '23456789');
    assert.equal(json['title'], 'My title');
    assert.equal(JSON.stringify(json).includes(sessionId), false);
  });

  it('survive data of any depth', () => {
    let data: unknown = 1;
    for (let i = 0; i < 100_000; i++) data = [data];
    const json = JSON.parse(new JsonFormat().record({ ...record, data }, undefined).text) as Record<string, unknown>;
    assert.equal(deepJson(json['data']), deepJson(data));
  });

  it('tell an end that was not as it should be', () => {
    const stderr = { head: 'Error: boom', truncated: false, totalLines: 1 };
    const exit = { message: t('exited with code {0}', 1), exitCode: 1, stderr };
    const line = written(new TextFormat(false).end('Test', { reason: 'error', terminatedBy: 'agent', ...exit }, 0));
    assert.match(
      line,
      /\[error\] \[agent\] Test failed: exited with code 1\. Standard error ended with:\n {4}Error: boom$/,
    );
    assert.equal(new TextFormat(false).end('Test', { reason: 'completed', terminatedBy: 'agent' }, 0), undefined);
  });
});
