import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/text/json';
import { isObject, objectOf, requestIdOf } from '../../../../src/text/json';
import type { RecordedExit } from '../../../../src/cli/replay/script';
import { scriptOf } from '../../../../src/cli/replay/script';
import { Player } from '../../../../src/cli/replay/player';
import { readJournalLine } from '../../../../src/wire/journal/journalReader';
import type { WireEvent } from '../../../../src/wire/wireEvent';
import { exit, message } from '../../../support/journalText';

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

const wire = (...messages: readonly (readonly ['c2a' | 'a2c', object])[]): readonly WireEvent[] =>
  messages.flatMap(([dir, fields], index) => readJournalLine(message(index * 1000, dir, fields)) ?? []);
const prompt = (id: number, text: string, sessionId = 's1') => {
  return { id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } };
};

const turnOf = (text: string, id: number): readonly (readonly ['c2a' | 'a2c', object])[] => [
  ['c2a', prompt(id, text)],
  ['a2c', { method: 'session/update', params: { sessionId: 's1', update: { text: `${text}!` } } }],
  ['a2c', { id, result: { stopReason: 'end_turn' } }],
];

describe('agent-logs replay: the player', () => {
  it('answers messages however deep they are nested', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const ask = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"session/prompt","params":{"sessionId":"s","prompt":[${deep}]}}`;
    const events = [`"c2a","msg":${ask(1)}`, `"a2c","msg":{"jsonrpc":"2.0","id":1,"result":${deep}}`].flatMap(
      (fields) => readJournalLine(`{"t":"2026-01-01T00:00:01.000Z","dir":${fields}}`) ?? [],
    );
    assert.equal(events.length, 2);
    const { player, sent } = played(events);
    player.accept(ask(7));
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
      const recordedId = (one: JsonObject): JsonObject => {
        const id = String(one['id']);
        if ('method' in one || !id.startsWith('own ')) return one;
        return { ...one, id: [...ids].find((other) => `own ${String(other)}` === id) };
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
      const texts = (all: readonly JsonObject[]) => all.map((one) => JSON.stringify(one)).sort();
      assert.deepEqual(texts(sent.map(recordedId)), texts(recorded));
      assert.equal(player.unexpected, 0);
    });
  }

  /** What a notification cancels has an ID of the client. */
  function mapped(one: JsonObject): JsonObject {
    const { params } = one;
    const id = isObject(params) ? requestIdOf(params['requestId']) : undefined;
    if (!isObject(params) || id === undefined) return one;
    return { ...one, params: { ...params, requestId: `own ${id}` } };
  }

  const two = wire(...turnOf('one', 1), ...turnOf('two', 2));

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
    say(prompt(1, 'three'));
    await player.close();
    const expected = 'Expected: session/prompt "one", session/prompt "two".';
    assert.deepEqual(stderr, [`Not in the recording: session/prompt "three". ${expected}`]);
    assert.equal(objectOf(sent[0]?.['error'])['message'], stderr[0]);
    assert.equal(player.unexpected, 1);
  });

  it('accepts other prompts if it is told to, in the order of the recording', async () => {
    const { sent, say, player } = played(two, true);
    say({ id: 5, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } });
    await player.close();
    assert.match(JSON.stringify(sent), /one!/);
    assert.deepEqual([sent.length, player.unexpected], [2, 0]);
  });

  it('uses the session ids of the client', async () => {
    const { sent, say, player } = played(two);
    say(prompt(1, 'one', 'mine'));
    await player.close();
    assert.equal(objectOf(sent[0]?.['params'])['sessionId'], 'mine');
  });

  it('really asks, and waits for the answer', async () => {
    const [first, ...rest] = turnOf('one', 1);
    const asked = wire(
      first!,
      ['a2c', { id: 'p', method: 'session/request_permission', params: { sessionId: 's1', options: [] } }],
      ['c2a', { id: 'p', result: { outcome: { outcome: 'selected', optionId: 'y' } } }],
      ...rest,
    );
    const { sent, say, player } = played(asked);
    say(prompt(1, 'one'));
    await turn();
    assert.equal(sent.length, 1);
    say({ id: 'p', result: {} });
    await player.close();
    assert.equal(sent.length, 3);
  });

  it('exits where the agent did by itself, and stops there', async () => {
    const { exits, say, player } = played([...wire(['c2a', prompt(1, 'one')]), readJournalLine(exit(2000, 3))!]);
    say(prompt(1, 'one'));
    await player.close();
    assert.deepEqual(exits, [{ code: 3, signal: null }]);
  });
});
