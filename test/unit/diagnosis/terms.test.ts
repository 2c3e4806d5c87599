import assert from 'node:assert/strict';
import { problemText } from '../../../src/diagnosis/problemText';
import type { DiagnosisCode } from '../../../src/diagnosis/diagnosis';
import { inEnglish } from '../../../src/text/translator';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { foreignTerms } from '../../support/foreignTerms';

/** The problems that only an agent's run has. */
const ofAgents: readonly DiagnosisCode[] = [
  ...(['failed-turn', 'turn-cut-short', 'empty-turn', 'mcp-server-trouble', 'model-fallback'] as const),
  'repeated-call',
  ...(['asked-again', 'context-nearly-full', 'compacts-again', 'cache-never-read', 'hook-timed-out'] as const),
];
/** The others. */
const ofAll: readonly DiagnosisCode[] = [
  ...(['tool-failed', 'failed-request', 'retrying', 'rate-limited', 'authentication-required'] as const),
  ...(['version-not-spoken', 'missing-executable', 'missing-folder', 'agent-ended', 'slow-to-end'] as const),
  ...(['unanswered-request', 'silence', 'waiting-for-user', 'cancel-ignored', 'stdout-junk'] as const),
  ...(['malformed-message', 'oversize-message', 'unasked-log', 'log-below-level', 'unknown-session'] as const),
  ...(['unknown-response', 'protocol-violation', 'alert'] as const),
];

describe('diagnosis: the terms of a run', () => {
  it('are a server and its requests in the titles and reasons of problems, in every language', () => {
    for (const protocol of ['mcp', 'lsp'] as const) {
      for (const code of ofAll) {
        const { title, why, advice } = problemText(code, protocol) ?? assert.fail(code);
        assert.deepEqual([title, why, ...(advice ? [advice] : [])].flatMap(foreignTerms), [], code);
      }
    }
  });

  it('have no model of a server that is silent', () => {
    const why = (protocol: 'acp' | 'lsp'): string => inEnglish(problemText('silence', protocol)?.why ?? assert.fail());
    assert.match(why('acp'), / The model may be slow or the agent stuck\.$/);
    assert.match(why('lsp'), / The server may be slow or stuck\.$/);
  });

  it('are an agent elsewhere', () => {
    for (const protocol of ['acp', 'stream-json', 'saved'] as const) {
      const title = problemText('agent-ended', protocol)?.title ?? assert.fail();
      assert.equal(inEnglish(title), 'Agent exited unexpectedly');
    }
    assert.ok(ofAgents.every((code) => problemText(code, 'acp') !== undefined));
  });

  it('are the same in a problem and in what to do', () => {
    for (const [protocol, one, all] of [
      ['mcp', 'server', 'Servers'],
      ['acp', 'agent', 'Agents'],
    ] as const) {
      const wire = new DiagnosedWire(protocol).process({ ev: 'stdin-close' }).wait(2000);
      wire.process({ ev: 'signal', signal: 'SIGTERM' }).exit(0);
      const problem = `The ${one} was still running 2.0 s after stdin closed.`;
      const advice = `${all} should exit on end of stdin and on SIGTERM, and stop their child processes.`;
      assert.deepEqual(wire.said, [`notice [] slow-to-end: ${problem} ${advice}`]);
    }
  });

  it('are what ends work that hangs: a turn, a request, or the program whose output is read', () => {
    const stuck = (wire: DiagnosedWire): string => wire.quiet(10 * 60_000).said.join('\n');
    const asking = new DiagnosedWire('mcp')
      .ask('initialize', { protocolVersion: '2025-11-25' }, { protocolVersion: '2025-11-25', capabilities: {} })
      .says({ id: 1, method: 'elicitation/create', params: { message: 'Which?' } });
    assert.match(stuck(asking.wait(60 * 60_000)), /Answer it, or cancel the request\./);
    const stream = new DiagnosedWire('stream-json').send('a2c', { type: 'system', subtype: 'init', session_id: 's' });
    assert.match(stuck(stream), /or the agent stuck; stop the agent if it doesn't continue\./);
  });
});
