import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/text/json';
import { isObject, requestIdOf } from '../../../../src/text/json';
import type { RecordedExit } from '../../../../src/cli/replay/script';
import { scriptOf } from '../../../../src/cli/replay/script';
import { Player } from '../../../../src/cli/replay/player';
import { readJournalLine } from '../../../../src/wire/journal/journalReader';
import type { WireEvent } from '../../../../src/wire/wireEvent';

const transcripts = 'test/fixtures/transcripts';

function eventsOf(name: string): readonly WireEvent[] {
  const lines = readFileSync(join(transcripts, name), 'utf8').split('\n');
  return lines.flatMap((line) => readJournalLine(line) ?? []);
}

function played(events: readonly WireEvent[], loose = false) {
  const sent: JsonObject[] = [];
  const stderr: string[] = [];
  const exits: RecordedExit[] = [];
  const player = new Player(scriptOf(events), {
    speed: Infinity,
    loose,
    redacted: (text) => text,
    send: (text) => sent.push(isObject(JSON.parse(text)) ? (JSON.parse(text) as JsonObject) : {}),
    stderr: (line) => stderr.push(line),
    refused: (text) => stderr.push(text),
    exit: (exit) => exits.push(exit),
  });
  player.start();
  const say = (message: object): void => player.accept(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return { player, sent, stderr, exits, say };
}

const at = (s: number): string => new Date(Date.UTC(2026, 0, 1) + s * 1000).toISOString();
const wire = (...messages: readonly (readonly ['c2a' | 'a2c', object])[]): readonly WireEvent[] =>
  messages.flatMap(([dir, msg], index) => {
    const entry = { t: at(index), ms: index * 1000, dir, msg: { jsonrpc: '2.0', ...msg } };
    return readJournalLine(JSON.stringify(entry)) ?? [];
  });

const turnOf = (session: string, text: string, first: number): readonly (readonly ['c2a' | 'a2c', object])[] => [
  ['c2a', { id: first, method: 'session/prompt', params: { sessionId: session, prompt: [{ type: 'text', text }] } }],
  ['a2c', { method: 'session/update', params: { sessionId: session, update: { text: `${text}!` } } }],
  ['a2c', { id: first, result: { stopReason: 'end_turn' } }],
];

describe('agent-logs replay: the player', () => {
  it('answers messages however deep they are nested', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const events = [
      `{"dir":"c2a","msg":{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[${deep}]}}`,
      `{"dir":"a2c","msg":{"jsonrpc":"2.0","id":1,"result":${deep}}`,
    ].flatMap((entry) => readJournalLine(`${entry},"t":"${at(1)}"}`) ?? []);
    assert.equal(events.length, 2);
    const { player, sent } = played(events);
    player.accept(`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[${deep}]}}`);
    for (let n = 0; n < 20; n++) await turn();
    assert.deepEqual(Object.keys(sent[0] ?? {}), ['jsonrpc', 'id', 'result']);
    assert.equal(sent[0]?.['id'], 7);
  });

  const names = readdirSync(transcripts).filter((name) => name.endsWith('.ndjson'));
  for (const name of names) {
    it(`says all of ${name} to the client of the recording, whatever its ids`, async () => {
      const events = eventsOf(name);
      const recorded = events.flatMap((event) => (event.dir === 'a2c' && isObject(event.msg) ? [event.msg] : []));
      const ids = new Set(
        events.flatMap((event) =>
          event.dir === 'c2a' && isObject(event.msg) && 'method' in event.msg ? [event.msg['id']] : [],
        ),
      );
      const { player, sent, say } = played(events);
      const left = (): string[] => {
        const all = sent.map((message) => JSON.stringify(recordedId(message)));
        return recorded
          .map((message) => JSON.stringify(message))
          .filter((one) => {
            const found = all.indexOf(one);
            if (found >= 0) all.splice(found, 1);
            return found < 0;
          });
      };
      const recordedId = (message: JsonObject): JsonObject => {
        const id = String(message['id']);
        if ('method' in message || !id.startsWith('own ')) return message;
        return { ...message, id: [...ids].find((one) => `own ${String(one)}` === id) };
      };
      for (const event of events) {
        if (event.dir === 'c2a' && isObject(event.msg)) {
          const { msg } = event;
          const isRequest = 'method' in msg && 'id' in msg;
          say(isRequest ? { ...msg, id: `own ${String(msg['id'])}` } : mapped(msg));
        }
        await turn();
      }
      await player.close();
      assert.deepEqual(left(), []);
      assert.equal(sent.length, recorded.length);
      assert.equal(player.unexpected, 0);
    });
  }

  /** What a notification cancels has an ID of the client. */
  function mapped(message: JsonObject): JsonObject {
    const { params } = message;
    const id = isObject(params) ? requestIdOf(params['requestId']) : undefined;
    if (!isObject(params) || id === undefined) return message;
    return { ...message, params: { ...params, requestId: `own ${id}` } };
  }

  const two = wire(...turnOf('s1', 'one', 1), ...turnOf('s1', 'two', 2));

  it('matches requests by what they ask for, in any order', async () => {
    const { sent, say, player } = played(two);
    const ask = (id: number, text: string): void =>
      say({ id, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ text, type: 'text', _meta: {} }] } });
    ask(10, 'two');
    ask(11, 'one');
    await player.close();
    assert.deepEqual(sent.map(({ id }) => id).filter(Boolean), [10, 11]);
  });

  it('answers a request that was not recorded with what was expected', async () => {
    const { sent, say, player, stderr } = played(two);
    say({ id: 1, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'three' }] } });
    await player.close();
    const { error } = sent[0] as { error: { code: number; message: string } };
    assert.equal(
      error.message,
      'Not in the recording: session/prompt "three". Expected: session/prompt "one", session/prompt "two".',
    );
    assert.equal(player.unexpected, 1);
    assert.equal(stderr[0], error.message);
  });

  it('accepts other prompts if it is told to, in the order of the recording', async () => {
    const { sent, say, player } = played(two, true);
    say({ id: 5, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } });
    await player.close();
    assert.deepEqual(
      sent.map(({ params }) => (params as { update?: { text: string } } | undefined)?.update?.text),
      ['one!', undefined],
    );
    assert.equal(player.unexpected, 0);
  });

  it('uses the session ids of the client', async () => {
    const { sent, say, player } = played(two);
    say({ id: 1, method: 'session/prompt', params: { sessionId: 'mine', prompt: [{ type: 'text', text: 'one' }] } });
    await player.close();
    assert.deepEqual((sent[0] as { params: JsonObject }).params['sessionId'], 'mine');
  });

  it('really asks, and waits for the answer', async () => {
    const [prompt, update, answer] = turnOf('s1', 'one', 1);
    const asked = wire(
      prompt!,
      ['a2c', { id: 'p', method: 'session/request_permission', params: { sessionId: 's1', options: [] } }],
      ['c2a', { id: 'p', result: { outcome: { outcome: 'selected', optionId: 'y' } } }],
      update!,
      answer!,
    );
    const { sent, say, player } = played(asked);
    say({ id: 1, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'one' }] } });
    await turn();
    assert.equal(sent.length, 1);
    say({ id: 'p', result: {} });
    await player.close();
    assert.equal(sent.length, 3);
  });

  it('exits where the agent did by itself, and stops there', async () => {
    const events = [...wire(turnOf('s1', 'one', 1)[0]!), ...exitAt(2)];
    const { exits, say, player } = played(events);
    say({ id: 1, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'one' }] } });
    await player.close();
    assert.deepEqual(exits, [{ code: 3, signal: null }]);
  });

  function exitAt(s: number): readonly WireEvent[] {
    return [readJournalLine(JSON.stringify({ t: at(s), ms: 0, dir: 'ev', ev: 'exit', code: 3, signal: null }))!];
  }
});
