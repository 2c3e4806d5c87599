import assert from 'node:assert/strict';
import { problemText } from '../../../src/diagnosis/problemText';
import type { DiagnosisCode } from '../../../src/diagnosis/diagnosis';
import { inEnglish } from '../../../src/text/translator';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { foreignTerms } from '../../support/foreignTerms';

/** The problems that only an agent's run has. */
const ofAgents: ReadonlySet<string> = new Set<DiagnosisCode>([
  'failed-turn',
  'turn-cut-short',
  'empty-turn',
  'mcp-server-trouble',
  'model-fallback',
  'repeated-call',
  'asked-again',
  'context-nearly-full',
  'compacts-again',
  'cache-never-read',
  'hook-timed-out',
]);
/** The others. */
const ofAll: readonly DiagnosisCode[] = [
  'tool-failed',
  'failed-request',
  'retrying',
  'rate-limited',
  'authentication-required',
  'version-not-spoken',
  'missing-executable',
  'missing-folder',
  'agent-ended',
  'slow-to-end',
  'unanswered-request',
  'silence',
  'waiting-for-user',
  'cancel-ignored',
  'stdout-junk',
  'malformed-message',
  'oversize-message',
  'unasked-log',
  'log-below-level',
  'unknown-session',
  'unknown-response',
  'protocol-violation',
  'alert',
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
    assert.ok([...ofAgents].every((code) => problemText(code, 'acp') !== undefined));
  });

  it('are the same in a problem and in what to do', () => {
    const slow = (protocol: 'acp' | 'mcp'): readonly string[] =>
      new DiagnosedWire(protocol)
        .process({ ev: 'stdin-close' })
        .wait(2000)
        .process({ ev: 'signal', signal: 'SIGTERM' })
        .process({ ev: 'exit', code: 0, signal: null }).said;
    assert.deepEqual(slow('mcp'), [
      'notice [] slow-to-end: The server was still running 2.0 s after stdin closed. ' +
        'Servers should exit on end of stdin and on SIGTERM, and stop their child processes.',
    ]);
    assert.deepEqual(slow('acp'), [
      'notice [] slow-to-end: The agent was still running 2.0 s after stdin closed. ' +
        'Agents should exit on end of stdin and on SIGTERM, and stop their child processes.',
    ]);
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
