import { inEnglish, verbatim } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { advisedEnd, describeTermination, endEntry, shortEnd, wireTermination } from '../../../src/wire/termination';
import { sessionTermination } from '../../../src/protocols/acp/words';
import { StderrExcerpts } from '../../../src/protocols/stderr/stderrExcerpts';
import { terminationOf } from '../../../src/protocols/lifecycle';
import { AcpWire } from '../../support/acpWire';

describe('termination', () => {
  it('says who ended a process, and why', () => {
    for (const [code, signal, byUs, open, expected] of [
      [0, null, false, '', 'completed by agent: exited with code 0'],
      [3, null, false, '', 'error by agent: exited with code 3'],
      [0, null, false, 'x/y', 'error by agent: exited with code 0 and left x/y unanswered'],
      [null, 'SIGSEGV', false, '', 'error by agent: ended by SIGSEGV'],
      [null, 'SIGKILL', false, '', 'terminated by system: ended by SIGKILL'],
      [null, 'SIGKILL', true, '', 'terminated by client: ended by SIGKILL'],
      [0, null, true, 'x/y', 'completed by client: exited with code 0'],
    ] as const) {
      const { reason, terminatedBy, message } = terminationOf({ code, signal }, byUs, open === '' ? undefined : open);
      assert.equal(`${reason} by ${terminatedBy}: ${inEnglish(message!)}`, expected);
    }
  });

  it('cuts long lines, and says so', () => {
    const excerpts = new StderrExcerpts();
    excerpts.add('x'.repeat(10_000));
    const { truncated, head = '' } = excerpts.excerpt!;
    assert.equal(truncated, true);
    assert.ok(head.length < 600);
  });

  const message = verbatim('exited with code 1');
  const exited = { reason: 'error', terminatedBy: 'agent', message, exitCode: 1 } as const;

  it('is readable text, and snake_case on the wire', () => {
    const excerpt = { head: 'line 1', truncated: false };
    const termination = { ...exited, stderr: { ...excerpt, totalLines: 1 } };
    const text = 'Mine failed.\nMessage:    exited with code 1\nExit code:  1\nStandard error, 1 line:\n\nline 1';
    assert.equal(describeTermination('Mine', termination), text);
    assert.equal(inEnglish(shortEnd(termination)), 'exit 1');
    const about = { reason: 'error', terminated_by: 'agent', message: 'exited with code 1', exit_code: 1 };
    const wire = { ...about, stderr: { ...excerpt, tail: undefined, total_lines: 1 } };
    assert.deepEqual(wireTermination(termination), wire);
    assert.deepEqual(sessionTermination(wire), termination);
    const daemon = sessionTermination({ data: { reason: 'terminated', terminated_by: 'daemon' } });
    assert.deepEqual(daemon, { reason: 'terminated', terminatedBy: 'client' });
    assert.deepEqual(sessionTermination(7), { reason: 'error', terminatedBy: 'system' });
  });

  it('includes the reason in all its forms', () => {
    const cause = { what: verbatim('Error: no disk'), by: 'stdout', advice: verbatim('Make room.') } as const;
    const failed = { ...exited, cause };
    const why = 'Why:        Output: "Error: no disk"\nWhat to do: Make room.\nStandard error was empty.';
    const text = `Mine failed.\nMessage:    exited with code 1\nExit code:  1\n${why}`;
    assert.equal(describeTermination('Mine', failed), text);
    const entry = 'exited with code 1. Output: "Error: no disk". Make room. Standard error was empty.';
    assert.equal(endEntry('Mine', failed), `[agent] Mine failed: ${entry}`);
    const killed = verbatim('killed');
    assert.equal(inEnglish(advisedEnd(killed, { what: verbatim('no memory') })), 'killed: no memory.');
    assert.equal(inEnglish(advisedEnd(killed, { what: killed, by: 'stderr' })), 'killed. Last output: "killed".');
    assert.equal(inEnglish(advisedEnd(killed)), 'killed.');
    const notThere = { reason: 'error', terminatedBy: 'system', message: verbatim('No x.') } as const;
    assert.equal(endEntry('Mine', notThere), "[agent] Mine couldn't continue: No x.");
  });

  it('is described without ANSI escapes and control characters', () => {
    const red = '\u001b[31mred\u001b[0m\u0007';
    const stderr = { head: red, tail: red, truncated: true, totalLines: 9 };
    const cause = { what: verbatim(red), by: 'stderr', advice: verbatim(red) } as const;
    const text = describeTermination(red, { ...exited, message: verbatim(red), stderr, cause });
    assert.equal(text.match(/red/g)?.length, 6);
    assert.doesNotMatch(text, /[\u001b\u0007]|\[31m/);
  });

  it('prefers the message if it says more than the exit does', () => {
    const closed = verbatim('closed its standard output');
    const ended = { reason: 'error', terminatedBy: 'agent' } as const;
    assert.equal(shortEnd({ ...ended, message: closed, exitCode: 0 }), closed);
    assert.equal(shortEnd({ ...ended, message: closed, signal: 'SIGTERM' }), closed);
    const crashed = { ...ended, message: verbatim('ended by SIGSEGV'), signal: 'SIGSEGV' };
    assert.deepEqual(shortEnd(crashed), verbatim('SIGSEGV'));
  });

  it('can be read from the wire for one session', () => {
    const stderr = { tail: 'last', truncated: true, total_lines: 900 };
    const data = { reason: 'error', terminated_by: 'agent', exit_code: 2, message: 'out of memory', stderr };
    const wire = new AcpWire().tell('_sandboxagent/session/ended', { session_id: 's1', data });
    assert.deepEqual(wire.lines, ['error [s1] the session failed: exit 2, out of memory']);
    assert.equal(wire.log.find('s1')?.ended, true);
    assert.deepEqual(wire.log.store.query()[0]?.data, { stderr: { tail: 'last', truncated: true, totalLines: 900 } });
  });
});
