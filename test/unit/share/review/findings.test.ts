import * as assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { inEnglish } from '../../../../src/text/translator';
import { including } from '../../../../src/share/review/choice';
import { findIn } from '../../../../src/share/review/findings';
import { Pauses } from '../../../../src/share/review/pauses';
import { reviewed } from '../../../../src/share/review/reviewed';
import type { SharedRecord, SharedRun } from '../../../../src/share/sharedRun';
import { sharedContents } from '../../../../src/share/sharedRun';
import { column, rowsOf } from '../../../support/columns';
import { sharedMessage } from '../../../support/sharedMessage';

const token = 'q7Rz2LmX9vKp4TgW8sYb3NcH';
const names = { users: ['jdoe'], hosts: ['jdoe-laptop'] };

function record(seq: number, fields: Partial<SharedRecord>): SharedRecord {
  return { seq, receivedAt: seq, level: 'info', kind: 'activity', message: '', ...fields };
}

const path = { path: 'C:\\Users\\Some Body\\a.ts', '/home/jdoe/b.ts': token, requestId: `${token}1` };
const message = sharedMessage({
  ...{ kind: 'notification', direction: 'in', method: 'session/update', carried: 'tool_call_update', seq: 2 },
  message: JSON.stringify({ params: { update: path } }),
});

const prompt = 'Use the key [redacted] of jdoe@firma.de';
const output = `env: API_KEY=[redacted], other ${token}`;
const places = { startedAt: 1, firstSeq: 1, lastSeq: 3 };
const run: SharedRun = {
  ...{ name: 'agent', protocol: 'acp', startedAt: 0, sharedAt: 1, cut: [], messages: [message] },
  sessions: [{ id: '1', title: 'Look at /home/jdoe/notes' }],
  records: [
    record(1, { logger: 'prompt', content: 'prompt', message: prompt }),
    record(2, { logger: 'tool', content: 'tool', message: output, raw: message.message ?? '' }),
    record(3, { kind: 'stderr', message: 'jdoe-laptop: commit 3f786850e387550fdab836ed7e6dc881de23001b' }),
  ],
  spans: [{ id: 'turn-1', kind: 'turn', title: 'in /home/jdoe', ...places, detail: 'somebody' }],
};
const found = () => findIn(run, names, new Pauses());

describe('findings of a run that is shared', () => {
  it('lists redactions, suspects and personal names with their places', async () => {
    const { redactions, suspects, harmless, personal } = await found();
    const secrets = redactions.map(({ what, count, places: [first] }) => `${inEnglish(what)} ${count} #${first?.seq}`);
    assert.deepEqual(secrets, ['Other secret 1 #1', 'Value of API_KEY 1 #2']);
    // The body of the message is the line of the record.
    assert.deepEqual(suspects, [{ what: token, count: 1, places: [{ tab: 'log', seq: 2 }] }]);
    assert.deepEqual(harmless, { uuid: 0, hash: 1, id: 1, data: 0 });
    const texts = Object.values(personal).map((list) => column(list, 'what'));
    assert.deepEqual(texts, [['/home/jdoe', 'C:\\Users\\Some Body'], [], ['jdoe-laptop'], ['jdoe@firma.de']]);
    assert.deepEqual(rowsOf(personal.home[0]?.places ?? [], 'tab', 'seq'), ['log -', 'log 2', 'turns 1']);
  });

  it('counts what each content weighs', async () => {
    const { contents } = await found();
    const counts = sharedContents.map((content) => contents[content].count);
    assert.deepEqual(counts, [1, 0, 1, 1, 1]);
    const { characters, largest } = contents.prompts;
    assert.equal(characters, prompt.length);
    assert.deepEqual(largest, [{ place: { tab: 'log', seq: 1 }, text: prompt, characters }]);
  });

  it('replaces what was found everywhere', async () => {
    const { names: all } = await found();
    assert.deepEqual(all.users, ['jdoe', 'Some Body']);
    const result = await reviewed(run, including(sharedContents), all, new Pauses());
    const json = JSON.stringify(result);
    assert.doesNotMatch(json, /jdoe|firma|Some Body|Users/);
    assert.ok(!json.includes(`other ${token}`) && json.includes(`"requestId\\":\\"${token}1`));
    assert.equal(result.sessions[0]?.title, 'Look at ~/notes');
    assert.equal(result.spans[0]?.title, 'in ~');
    const update = { path: '~\\a.ts', '~/b.ts': '[redacted]', requestId: `${token}1` };
    assert.deepEqual(JSON.parse(result.messages[0]?.message ?? ''), { params: { update } });
    assert.deepEqual(column(result.cut, 'type'), ['personal', 'suspects']);
    const again = await findIn(result, names, new Pauses());
    assert.deepEqual([again.suspects, ...Object.values(again.personal)], [[], [], [], [], []]);
  });

  it('replaces nothing if nothing is to be replaced', async () => {
    const include = new Set(sharedContents);
    const choice = { include, replacesPersonal: false, cutsSuspects: false };
    assert.deepEqual(await reviewed(run, choice, names, new Pauses()), run);
  });

  it('can be cancelled while it reads a long run', async () => {
    const source = new CancellationTokenSource();
    const records = Array.from({ length: 50_000 }, (_, seq) => record(seq, { message: `/home/jdoe/${seq} ${token}` }));
    const long = { ...run, records };
    const finding = findIn(long, names, new Pauses(source.token));
    source.cancel();
    await assert.rejects(finding, /Cancelled/);
    await assert.rejects(reviewed(long, including([]), names, new Pauses(source.token)), /Cancelled/);
  });

  it('bounds its lists', async () => {
    const records = Array.from({ length: 2000 }, (_, seq) => record(seq, { message: `/home/u${seq}/a b@${seq}.de` }));
    const { personal } = await findIn({ ...run, records }, names, new Pauses());
    assert.equal(personal.home.length, 500);
    assert.ok(personal.home.every(({ places: all }) => all.length <= 20));
  });
});
