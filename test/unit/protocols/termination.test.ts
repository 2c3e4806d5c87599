import { inEnglish, verbatim } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { advisedEnd, describeTermination, endEntry, shortEnd, wireTermination } from '../../../src/wire/termination';
import { sessionTermination } from '../../../src/protocols/acp/words';
import { StderrExcerpts } from '../../../src/protocols/stderr/stderrExcerpts';
import { terminationOf } from '../../../src/protocols/lifecycle';
import { AcpWire } from '../../support/acpWire';

function excerptOf(lines: number): ReturnType<() => StderrExcerpts['excerpt']> {
  const excerpts = new StderrExcerpts();
  for (let i = 1; i <= lines; i++) excerpts.add(`line ${i}`);
  return excerpts.excerpt;
}

describe('termination', () => {
  it('says who ended a process, and why', () => {
    const of = (code: number | null, signal: string | null, byUs = false, open?: string): string => {
      const { reason, terminatedBy, message } = terminationOf({ code, signal }, byUs, open);
      return `${reason} by ${terminatedBy}: ${inEnglish(message!)}`;
    };
    assert.equal(of(0, null), 'completed by agent: exited with code 0');
    assert.equal(of(3, null), 'error by agent: exited with code 3');
    assert.equal(
      of(0, null, false, 'session/prompt'),
      'error by agent: exited with code 0 and left session/prompt unanswered',
    );
    assert.equal(of(null, 'SIGSEGV'), 'error by agent: ended by SIGSEGV');
    assert.equal(of(null, 'SIGKILL'), 'terminated by system: ended by SIGKILL');
    assert.equal(of(null, 'SIGKILL', true), 'terminated by client: ended by SIGKILL');
    assert.equal(of(0, null, true, 'session/prompt'), 'completed by client: exited with code 0');
  });

  it('keeps the first and the last 50 lines of standard error', () => {
    assert.equal(excerptOf(0), undefined);
    assert.deepEqual(excerptOf(2), { head: 'line 1\nline 2', truncated: false, totalLines: 2 });
    const all = excerptOf(100);
    assert.deepEqual([all?.truncated, all?.head?.split('\n').length, all?.tail?.split('\n').length], [false, 50, 50]);
    const many = excerptOf(100_000)!;
    assert.deepEqual([many.truncated, many.totalLines, many.tail?.split('\n').at(-1)], [true, 100_000, 'line 100000']);
  });

  it('cuts long lines, and says so', () => {
    const excerpts = new StderrExcerpts();
    excerpts.add('x'.repeat(10_000));
    const { truncated, head = '' } = excerpts.excerpt!;
    assert.equal(truncated, true);
    assert.ok(head.length < 600);
  });

  it('is readable text, and snake_case on the wire', () => {
    const termination = {
      reason: 'error',
      terminatedBy: 'agent',
      message: verbatim('exited with code 1'),
      exitCode: 1,
      stderr: excerptOf(1)!,
    } as const;
    assert.equal(
      describeTermination('Mine', termination),
      'Mine failed.\nMessage:    exited with code 1\nExit code:  1\nStandard error, 1 line:\n\nline 1',
    );
    assert.equal(inEnglish(shortEnd(termination)), 'exit 1');
    const wire = {
      reason: 'error',
      terminated_by: 'agent',
      message: 'exited with code 1',
      exit_code: 1,
      stderr: { head: 'line 1', tail: undefined, truncated: false, total_lines: 1 },
    };
    assert.deepEqual(wireTermination(termination), wire);
    assert.deepEqual(sessionTermination(wire), termination);
    assert.deepEqual(sessionTermination({ data: { reason: 'terminated', terminated_by: 'daemon' } }), {
      reason: 'terminated',
      terminatedBy: 'client',
    });
    assert.deepEqual(sessionTermination(7), { reason: 'error', terminatedBy: 'system' });
  });

  it('includes the reason in all its forms', () => {
    const cause = { what: verbatim('Error: no disk'), by: 'stdout', advice: verbatim('Make room.') } as const;
    const failed = {
      reason: 'error',
      terminatedBy: 'agent',
      message: verbatim('exited with code 1'),
      exitCode: 1,
      cause,
    } as const;
    assert.equal(
      describeTermination('Mine', failed),
      'Mine failed.\nMessage:    exited with code 1\nExit code:  1\nWhy:        Output: "Error: no disk"\nWhat to do: Make room.\n' +
        'Standard error was empty.',
    );
    assert.equal(
      endEntry('Mine', failed),
      '[agent] Mine failed: exited with code 1. Output: "Error: no disk". Make room. Standard error was empty.',
    );
    const killed = verbatim('killed');
    assert.equal(inEnglish(advisedEnd(killed, { what: verbatim('no memory') })), 'killed: no memory.');
    assert.equal(inEnglish(advisedEnd(killed, { what: killed, by: 'stderr' })), 'killed. Last output: "killed".');
    assert.equal(inEnglish(advisedEnd(killed)), 'killed.');
    const message = verbatim('The command x was not found.');
    const notThere = { reason: 'error', terminatedBy: 'system', message } as const;
    assert.equal(endEntry('Mine', notThere), "[agent] Mine couldn't continue: The command x was not found.");
  });

  it('is described without ANSI escapes and control characters', () => {
    const red = '\u001b[31mred\u001b[0m\u0007';
    const stderr = { head: red, tail: red, truncated: true, totalLines: 9 };
    const cause = { what: verbatim(red), by: 'stderr', advice: verbatim(red) } as const;
    const text = describeTermination(red, {
      reason: 'error',
      terminatedBy: 'agent',
      message: verbatim(red),
      stderr,
      cause,
    });
    assert.equal(text.match(/red/g)?.length, 6);
    assert.doesNotMatch(text, /[\u001b\u0007]|\[31m/);
  });

  it('prefers the message if it says more than the exit does', () => {
    const message = verbatim('closed its standard output');
    const closed = { reason: 'error', terminatedBy: 'agent', message } as const;
    assert.equal(shortEnd({ ...closed, exitCode: 0 }), message);
    assert.equal(shortEnd({ ...closed, signal: 'SIGTERM' }), message);
    assert.deepEqual(
      shortEnd({ ...closed, message: verbatim('ended by SIGSEGV'), signal: 'SIGSEGV' }),
      verbatim('SIGSEGV'),
    );
  });

  it('can be read from the wire for one session', () => {
    const wire = new AcpWire().tell('_sandboxagent/session/ended', {
      session_id: 's1',
      data: {
        reason: 'error',
        terminated_by: 'agent',
        exit_code: 2,
        message: 'out of memory',
        stderr: { tail: 'last', truncated: true, total_lines: 900 },
      },
    });
    assert.deepEqual(wire.lines, ['error [s1] the session failed: exit 2, out of memory']);
    assert.equal(wire.log.find('s1')?.ended, true);
    assert.deepEqual(wire.log.store.query()[0]?.data, { stderr: { tail: 'last', truncated: true, totalLines: 900 } });
  });
});
