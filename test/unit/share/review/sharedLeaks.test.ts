import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FileRun } from '../../../../src/past/files/fileRun';
import { collectRun } from '../../../../src/share/collectRun';
import { including } from '../../../../src/share/review/choice';
import { Pauses } from '../../../../src/share/review/pauses';
import { reviewed } from '../../../../src/share/review/reviewed';
import type { SharedContent, SharedRun } from '../../../../src/share/sharedRun';
import { sharedContents } from '../../../../src/share/sharedRun';
import { writeShared } from '../../../../src/share/writeShared';
import { runOf } from '../../../../src/cli/runArgument';
import { redactionWith } from '../../../support/redaction';
import { runPlaces } from '../../../support/runPlaces';

const folders = ['saved', 'transcripts', 'acp', 'streams', 'handwritten', 'agentHost'];
const fixtures = folders.flatMap((folder) =>
  readdirSync(`test/fixtures/${folder}`)
    .filter((name) => /\.(?:jsonl|ndjson|json|log)$/.test(name))
    .map((name) => `test/fixtures/${folder}/${name}`),
);
const page = { script: '', style: '', locale: 'en', translations: {} };
const nobody = { users: [], hosts: [] };

async function collected(path: string): Promise<SharedRun | undefined> {
  const info = await runOf(path, runPlaces()).catch(() => undefined);
  if (!info) return undefined;
  const run = new FileRun(info, { level: 'debug', maxMemory: 2e8, redaction: redactionWith(), follows: false });
  try {
    await run.read();
    return await collectRun(run, { part: { type: 'run' }, now: 1 });
  } catch {
    return undefined;
  } finally {
    await run.dispose();
  }
}

/** All text of the HTML file: what it says openly, and the data in it. */
async function fileOf(run: SharedRun, include: readonly SharedContent[]): Promise<string> {
  let html = '';
  const shared = await reviewed(run, including(include), nobody, new Pauses());
  for await (const piece of writeShared(shared, page)) html += piece;
  const data = [...html.matchAll(/<script type="application\/octet-stream"[^>]*>([^<]*)</g)];
  assert.ok(data.length > 0);
  const texts = data.map(([, base64 = '']) => gunzipSync(Buffer.from(base64, 'base64')).toString());
  return [html.replace(/<script type="application\/octet-stream"[^>]*>[^<]*</g, ''), ...texts].join('\n');
}

/** Members of raw lines whose texts a person, a model or a tool wrote, in any agent's form. */
const written =
  /^(?:text|content|prompt|thinking|thought|title|summary|message|output|stdout|stderr|command|arguments|rawInput|rawOutput|input|result|description|display|reason|error|detail|lastAgentMessage|last_agent_message)$/i;

/** Sequences of three words in them: no name and no text of the product has them by chance. */
function phrasesIn(text: string): ReadonlySet<string> {
  const phrases = new Set<string>();
  const visit = (value: unknown, isWritten: boolean): void => {
    if (typeof value === 'string') {
      if (value.startsWith('{') || value.startsWith('[')) {
        try {
          visit(JSON.parse(value), isWritten);
          return;
        } catch {
          // It only looks like JSON.
        }
      }
      if (isWritten) for (const [phrase] of value.matchAll(/\p{L}{3,} \p{L}{3,} \p{L}{4,}/gu)) phrases.add(phrase);
    } else if (Array.isArray(value)) for (const item of value) visit(item, isWritten);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, isWritten || written.test(name));
    }
  };
  for (const json of text.startsWith('[') || text.startsWith('{\n') ? [text] : text.split('\n')) {
    try {
      visit(JSON.parse(json), false);
    } catch {
      for (const [phrase] of json.matchAll(/\p{L}{3,} \p{L}{3,} \p{L}{4,}/gu)) phrases.add(phrase);
    }
  }
  return phrases;
}

describe('a shared file', function () {
  this.timeout(120_000);

  it('has no phrase of any recording with the minimal preset, and keeps what happened', async () => {
    const leaks: string[] = [];
    let read = 0;
    let checked = 0;
    for (const path of fixtures) {
      const run = await collected(path);
      if (!run || run.records.length === 0) continue;
      read++;
      const everything = await fileOf(run, sharedContents);
      const file = await fileOf(run, []);
      for (const phrase of phrasesIn(readFileSync(path, 'utf8'))) {
        if (everything.includes(phrase)) checked++;
        if (file.includes(phrase) && !product.includes(phrase)) leaks.push(`${path}: ${phrase}`);
      }
      const small = await reviewed(run, including([]), nobody, new Pauses());
      const shape = ({ records, spans, messages }: SharedRun) => [
        records.map(({ seq, level, kind, receivedAt }) => [seq, level, kind, receivedAt]),
        spans.map(({ id, kind, outcome, usage, startedAt, endedAt }) => [id, kind, outcome, usage, startedAt, endedAt]),
        messages.map(({ at, status, code, took, size }) => [at, status, code, took, size]),
      ];
      assert.deepEqual(shape(small), shape(run), path);
    }
    assert.ok(read > 100 && checked > 1000, `${read} ${checked}`);
    assert.deepEqual(leaks, []);
  });

  it('has no text of the left-out class unless a class that stays has it, too', async () => {
    const leaks: string[] = [];
    for (const path of fixtures) {
      const run = await collected(path);
      if (!run) continue;
      const texts = new Map<SharedContent, string>();
      for (const { kind, logger = '', message } of run.records) {
        const of = ownClass(kind, logger);
        if (of) texts.set(of, `${texts.get(of) ?? ''}\n${message}`);
      }
      for (const [left, text] of texts) {
        const others = [...texts].filter(([of]) => of !== left).map(([, other]) => other);
        const stays = JSON.stringify(others);
        const file = await fileOf(
          run,
          sharedContents.filter((one) => one !== left),
        );
        // Bodies stay with standard error left out: it isn't in them unless the agent sends it.
        if (left === 'stderr') continue;
        const kept = JSON.stringify(
          run.records.filter(({ kind, logger = '' }) => (ownClass(kind, logger) ?? left) !== left),
        );
        for (const phrase of phrasesIn(text)) {
          if (file.includes(phrase) && ![stays, kept, product].some((one) => one.includes(phrase))) {
            leaks.push(`${path} without ${left}: ${phrase}`);
          }
        }
      }
    }
    assert.deepEqual(leaks, []);
  });

  const secret = 'Ünïcode plan for the Zanzibar übernahme';
  const spellings = [
    secret,
    secret.toUpperCase(),
    secret.normalize('NFD'),
    encodeURIComponent(secret),
    secret.replace(/[^\0-\x7f]/g, (letter) => `&#${letter.charCodeAt(0)};`),
    Array.from(secret, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ];

  it('has no other spelling of a prompt, whatever its length, and no damaged line of a journal', async () => {
    const at = '2026-11-24T10:00:00.000Z';
    const folder = await mkdtemp(join(tmpdir(), 'agent-logs-leaks-'));
    const path = join(folder, 'run.ndjson');
    const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
    const prompt = (id: number, text: string) =>
      line({ id, method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text }] } });
    const wire = (dir: string, text: string) => JSON.stringify({ t: at, dir, line: text });
    const failed = (id: number, message: string) => line({ id, error: { code: -32000, message } });
    await writeFile(
      path,
      [
        JSON.stringify({ journal: 1, agent: secret, protocol: 'acp', command: [secret], cwd: '/', startedAt: at }),
        wire('c2a', prompt(1, `${secret} ${'x y '.repeat(2_600_000)}`)),
        ...spellings.flatMap((one, index) => [
          wire('c2a', prompt(index + 2, one)),
          wire('a2c', failed(index + 2, `cannot: ${one}`)),
          wire('err', `error: ${one}`),
          wire('a2c', line({ method: one, params: { [one]: one } })),
        ]),
        `{"t":"${at}","dir":"c2a","line":"${secret}`,
        wire('a2c', `no JSON: ${secret}`),
      ].join('\n'),
    );
    const run = (await collected(path)) ?? assert.fail();
    await rm(folder, { recursive: true });
    const all = await fileOf(run, sharedContents);
    assert.ok(all.includes('Zanzibar'));
    const file = (await fileOf(run, [])).normalize('NFC').toLowerCase();
    for (const word of ['zanzibar', 'bernahme', '\\u007a', '&#252;', 'x y x y']) assert.ok(!file.includes(word), word);
    assert.ok(run.records.some(({ kind }) => kind === 'diagnosis'));
  });
});

const ownClass = (kind: string, logger: string): SharedContent | undefined => {
  if (kind === 'stderr') return 'stderr';
  if (kind !== 'activity') return undefined;
  if (logger === 'prompt' || logger === 'user') return 'prompts';
  if (logger === 'agent' || logger === 'thought') return 'answers';
  return logger === 'tool' ? 'tools' : undefined;
};

/** Texts of the product: a recording may have the same words. */
const product = readFileSync('l10n/bundle.l10n.de.json', 'utf8');
