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

describe('agent-logs check: reports', () => {
  it('show people what failed, and why', () => {
    assert.deepEqual(
      textReport([{ run: 'a', missing: [], outcomes: [passed, { ...failed, title: 'no errors' }] }]).slice(0, 2),
      ['ok    it answers: 1 record matches', 'FAIL  no errors: 2 records match'],
    );
    assert.equal(textReport([{ run: 'a', missing: [], outcomes: [passed] }]).at(-1), '1 check passed.');
    const both = [
      { run: 'a', missing: [], outcomes: [passed] },
      { run: 'b', missing: [], outcomes: [failed] },
    ];
    assert.equal(textReport(both).at(-1), '1 of 2 checks failed.');
    assert.deepEqual(textReport(both).slice(0, 3), ['a:', 'ok    it answers: 1 record matches', 'b:']);
  });

  it('name what was not read', () => {
    const missing = ['2 lines cannot be <read>'];
    const results = [{ run: 'a', missing, outcomes: [passed] }];
    assert.equal(textReport(results)[0], 'note  not everything was read: 2 lines cannot be <read>');
    const { missing: written } = JSON.parse(jsonReport(results)) as { missing: unknown };
    assert.deepEqual(written, [{ run: 'a', what: '2 lines cannot be <read>' }]);
    assert.match(
      junitReport(results, redactorFor(redactionWith())),
      /<system-err>2 lines cannot be &lt;read&gt;<\/system-err>\n {2}<\/testsuite>/,
    );
  });

  it('are one JSON object for programs', () => {
    assert.deepEqual(JSON.parse(jsonReport([{ run: 'Test', missing: [], outcomes: [passed, failed] }])), {
      passed: false,
      checks: [
        { run: 'Test', name: 'it answers', passed: true, found: '1 record matches' },
        {
          run: 'Test',
          name: failed.title,
          passed: false,
          found: '2 records match',
          evidence: [{ seq: 1 }, { seq: 2 }],
        },
      ],
    });
  });

  it('are XML that holds whatever the agent wrote', () => {
    const xml = junitReport(
      [{ run: 'A "run"', missing: [], outcomes: [passed, failed] }],
      redactorFor(redactionWith()),
    );
    assert.match(xml, /tests="2" failures="1"/);
    assert.match(xml, /<testcase classname="A &quot;run&quot;" name="it answers"\/>/);
    assert.match(xml, /name="no &lt;b&gt;&quot;errors&quot;&lt;\/b&gt;"/);
    assert.match(xml, /<failure message="2 records match">a &amp; \ufffd\ufffd\[31mb\ufffd \]\]&gt;\nc<\/failure>/);
  });
});
