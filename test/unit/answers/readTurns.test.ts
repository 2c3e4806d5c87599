import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readTurns } from '../../../src/answers/readTurns';
import type { ToolInput } from '../../../src/answers/toolInput';
import { maxAnswer } from '../../../src/answers/toolText';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { liveView } from '../../support/liveView';
import { redactionWith } from '../../support/redaction';

function callTool(wire: DiagnosedWire, title: string, exitCode = 0): void {
  wire.update({ sessionUpdate: 'tool_call', toolCallId: title, title }).wait(2000);
  wire.update({ sessionUpdate: 'tool_call_update', toolCallId: title, status: 'completed', rawOutput: { exitCode } });
}

function ask(wire: DiagnosedWire, input: ToolInput = {}, patterns: readonly RegExp[] = []): Promise<string> {
  return readTurns(liveView(wire.log), input, redactionWith(...patterns), 1_000_000);
}

describe('the tool for turns', () => {
  it('lists turns with their summaries, and their parts with durations and outcomes', async () => {
    const wire = DiagnosedWire.withSession().prompt('Fix it.').wait(1000);
    callTool(wire, 'npm test', 1);
    wire.chunk('Done.').answer({ stopReason: 'end_turn' });
    const [head, turn, tool, ...rest] = (await ask(wire)).split('\n');
    assert.equal(head, 'Turns of "Mine" and what is in them: the newest 1 of 1.');
    assert.match(
      turn ?? '',
      /^turn #\d+\.\.\d+ "Fix it\.": ok, 3\.0 s: model 1\.0 s, tools 2\.0 s · 1 tool call, 1 failed at /,
    );
    assert.match(turn ?? '', / at 1970-01-01T00:00:00\.\d+Z \[Fix it\.\]$/);
    assert.match(tool ?? '', /^ {2}tool #\d+\.\.\d+ "npm test": failed \(exit 1\), 2\.0 s, after 1\.0 s$/);
    assert.deepEqual(rest, []);
  });

  it('says exactly what a turn used', async () => {
    const wire = DiagnosedWire.withSession().prompt('Fix it.').chunk('Done.');
    wire.answer({ stopReason: 'end_turn', usage: { inputTokens: 12_400, outputTokens: 1200, totalTokens: 13_600 } });
    const [, turn = '', usage] = (await ask(wire)).split('\n');
    assert.match(turn, / · 12\.4k in, 1\.2k out \(as reported\) at /);
    assert.equal(usage, '  Input tokens: 12,400 · Output tokens: 1,200 · Counted: as reported');
  });

  it('takes a session by its title or the end of its ID, and pages back by record numbers', async () => {
    const wire = DiagnosedWire.withSession();
    for (let i = 0; i < 3; i++) wire.prompt(`Prompt ${i}`).chunk('Done.').answer({ stopReason: 'end_turn' });
    const turnsIn = (text: string): string[] => [...text.matchAll(/"Prompt (\d)"/g)].map(([, number = '']) => number);
    for (const session of ['session-1', 'Prompt 0']) {
      assert.deepEqual(turnsIn(await ask(wire, { session })), ['0', '1', '2']);
    }
    await assert.rejects(ask(wire, { session: 'other' }), /No session is called that\. The newest are "Prompt 0"/);
    assert.deepEqual(turnsIn(await ask(wire, { session: 'none' })), []);
    const newest = await ask(wire, { limit: 1 });
    assert.deepEqual(turnsIn(newest), ['2']);
    const [, cursor = ''] = /"cursor": "(\d+)"/.exec(newest) ?? [];
    assert.deepEqual(turnsIn(await ask(wire, { cursor })), ['0', '1']);
  });

  it('answers with at most 16 KB, of long turns too', async () => {
    const wire = DiagnosedWire.withSession();
    for (let i = 0; i < 4; i++) {
      wire.prompt('long '.repeat(500));
      for (let call = 0; call < 100; call++) callTool(wire, `${call} ${'é'.repeat(500)}`);
      wire.answer({ stopReason: 'end_turn' });
    }
    const text = await ask(wire, { limit: 100 });
    assert.ok(Buffer.byteLength(text) <= maxAnswer, String(Buffer.byteLength(text)));
    assert.match(text, /\d older ones are left out: ask again with "cursor": "\d+"/);
    assert.match(text, /\n {2}\(\d+ earlier parts are left out\)\n/);
    assert.match(text, /"99 é/);
  });

  it("shortens session IDs, and redacts secrets and the user's patterns before texts are cut", async () => {
    const key = `sk-proj-${'aB3'.repeat(16)}`;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const sessionId = '0199c1d2-aaaa-bbbb-cccc-1234567890ab';
    const wire = new DiagnosedWire()
      .ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1 })
      .ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId });
    const padded = 'x'.repeat(110);
    for (const text of [`${padded} ${key}`, `In ${sessionId} for CUST-7`, `${padded} ${privateKey}`]) {
      wire.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }, { stopReason: 'end_turn' });
    }
    const text = await ask(wire, {}, [/CUST-\d+/]);
    assert.match(text, /"In …567890ab for \[redacted\]"/);
    for (const secret of ['sk-proj-aB', sessionId, 'CUST-7', privateKey.split('\n')[1] ?? '', 'MIG']) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
  });
});
