import assert from 'node:assert/strict';
import type { Outcome } from '../../../../src/cli/check/evaluate';
import { redactorFor } from '../../../../src/redact/redactorFor';
import { redactionWith } from '../../../support/redaction';
import { jsonReport, junitReport, textReport } from '../../../../src/cli/check/report';

const passed: Outcome = { title: 'it answers', passed: true, found: '1 record matches', evidence: [] };
const failed: Outcome = {
  title: 'no <b>"errors"</b>',
  passed: false,
  found: '2 records match',
  evidence: [
    { line: 'a & \u0000\u001b[31mb\ud800 ]]>', data: { seq: 1 } },
    { line: 'c', data: { seq: 2 } },
  ],
};

const resultOf = (run: string, ...outcomes: readonly Outcome[]) => ({ run, missing: [] as string[], outcomes });
const redactor = redactorFor(redactionWith());

describe('agent-logs check: reports', () => {
  it('show people what failed, and why', () => {
    const lines = textReport([resultOf('a', passed, { ...failed, title: 'no errors' })]);
    assert.deepEqual(lines.slice(0, 2), ['ok    it answers: 1 record matches', 'FAIL  no errors: 2 records match']);
    assert.equal(textReport([resultOf('a', passed)]).at(-1), '1 check passed.');
    const both = textReport([resultOf('a', passed), resultOf('b', failed)]);
    assert.equal(both.at(-1), '1 of 2 checks failed.');
    assert.deepEqual(both.slice(0, 3), ['a:', 'ok    it answers: 1 record matches', 'b:']);
  });

  it('name what was not read', () => {
    const results = [{ ...resultOf('a', passed), missing: ['2 lines cannot be <read>'] }];
    assert.equal(textReport(results)[0], 'note  not everything was read: 2 lines cannot be <read>');
    const { missing: written } = JSON.parse(jsonReport(results)) as { missing: unknown };
    assert.deepEqual(written, [{ run: 'a', what: '2 lines cannot be <read>' }]);
    const xml = junitReport(results, redactor);
    assert.match(xml, /<system-err>2 lines cannot be &lt;read&gt;<\/system-err>\n {2}<\/testsuite>/);
  });

  it('are one JSON object for programs', () => {
    const found = { run: 'Test', name: failed.title, passed: false, found: '2 records match' };
    assert.deepEqual(JSON.parse(jsonReport([resultOf('Test', passed, failed)])), {
      passed: false,
      checks: [
        { run: 'Test', name: 'it answers', passed: true, found: '1 record matches' },
        { ...found, evidence: [{ seq: 1 }, { seq: 2 }] },
      ],
    });
  });

  it('are XML that holds whatever the agent wrote', () => {
    const xml = junitReport([resultOf('A "run"', passed, failed)], redactor);
    assert.match(xml, /tests="2" failures="1"/);
    assert.match(xml, /<testcase classname="A &quot;run&quot;" name="it answers"\/>/);
    assert.match(xml, /name="no &lt;b&gt;&quot;errors&quot;&lt;\/b&gt;"/);
    assert.match(xml, /<failure message="2 records match">a &amp; \ufffd\ufffd\[31mb\ufffd \]\]&gt;\nc<\/failure>/);
  });
});
