import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { collectRun } from '../../../../src/share/collectRun';
import { including } from '../../../../src/share/review/choice';
import { parsedJson } from '../../../../src/text/jsonText';
import { Pauses } from '../../../../src/share/review/pauses';
import { reviewed } from '../../../../src/share/review/reviewed';
import type { SharedContent, SharedRecord, SharedRun } from '../../../../src/share/sharedRun';
import { sharedContents } from '../../../../src/share/sharedRun';
import { writeShared } from '../../../../src/share/writeShared';
import { header, linesText } from '../../../support/journalText';
import { readRun } from '../../../support/runPlaces';

const folders = ['saved', 'transcripts', 'acp', 'streams', 'handwritten', 'agentHost'];
const fixtures = folders.flatMap((folder) =>
  readdirSync(`test/fixtures/${folder}`)
    .filter((name) => /\.(?:jsonl|ndjson|json|log)$/.test(name))
    .map((name) => `test/fixtures/${folder}/${name}`),
);
const page = { script: '', style: '', locale: 'en', translations: {} };
const nobody = { users: [], hosts: [] };

/** Read once: both tests look at all of them. */
const runs = new Map<string, Promise<SharedRun>>();

function collected(path: string): Promise<SharedRun> {
  const known = runs.get(path) ?? collect(path);
  runs.set(path, known);
  return known;
}

async function collect(path: string): Promise<SharedRun> {
  const run = await readRun(path);
  return collectRun(run, { part: { type: 'run' }, now: 1 }).finally(() => run.dispose());
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

/** Texts in the lines of a recording that a person, a model or a tool wrote. */
function writtenIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isWritten: boolean): void => {
    if (typeof value === 'string') {
      const inner = /^[{[]/.test(value) ? parsedJson(value) : undefined;
      if (inner !== undefined) visit(inner, isWritten);
      else if (isWritten) found.push(value);
    } else if (Array.isArray(value)) for (const item of value) visit(item, isWritten);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, isWritten || written.test(name));
    }
  };
  for (const json of text.startsWith('[') || text.startsWith('{\n') ? [text] : text.split('\n')) {
    const value = parsedJson(json);
    if (value === undefined) found.push(json);
    else visit(value, false);
  }
  return found;
}

/** Each sequence of three words: no name has one by chance. */
function phrasesIn(...texts: readonly string[]): ReadonlySet<string> {
  const phrases = new Set<string>();
  for (const text of texts) {
    let before: readonly string[] = [];
    let end = -1;
    for (const { 0: word, index } of text.matchAll(/\p{L}{3,}/gu)) {
      before = index === end + 1 && text[end] === ' ' ? [...before.slice(-2), word] : [word];
      end = index + word.length;
      if (before.length === 3) phrases.add(before.join(' '));
    }
  }
  return phrases;
}

/** The phrases of a run with what is left out that it must not have. */
function leaksOf(path: string, secret: ReadonlySet<string>, file: string, allowed: ReadonlySet<string>): string[] {
  const shown = phrasesIn(file);
  const leaks = [...secret].filter((phrase) => shown.has(phrase) && !allowed.has(phrase) && !product.has(phrase));
  return leaks.map((phrase) => `${path}: ${phrase}`);
}

describe('a shared file', () => {
  it('has no phrase of any recording with the minimal preset, and keeps what happened', async () => {
    const leaks: string[] = [];
    let checked = 0;
    for (const path of fixtures) {
      const run = await collected(path);
      const phrases = phrasesIn(...writtenIn(readFileSync(path, 'utf8')));
      const everything = phrasesIn(JSON.stringify(run));
      for (const phrase of phrases) if (everything.has(phrase)) checked++;
      const small = await reviewed(run, including([]), nobody, new Pauses());
      leaks.push(...leaksOf(path, phrases, JSON.stringify(small), new Set()));
      const shape = ({ records, spans, messages }: SharedRun) => [
        records.map(({ seq, level, kind, receivedAt }) => [seq, level, kind, receivedAt]),
        spans.map(({ id, kind, outcome, usage, startedAt, endedAt }) => [id, kind, outcome, usage, startedAt, endedAt]),
        messages.map(({ at, status, code, took, size }) => [at, status, code, took, size]),
      ];
      assert.deepEqual(shape(small), shape(run), path);
    }
    assert.ok(checked > 10_000, String(checked));
    assert.deepEqual(leaks, []);
  });

  for (const left of ['prompts', 'answers', 'tools', 'stderr'] as const) {
    it(`has no text of the left-out class unless a class that stays has it, too: ${left}`, async () => {
      const leaks: string[] = [];
      let checked = 0;
      for (const path of fixtures) {
        const run = await collected(path);
        const isLeft = ({ kind, logger = '' }: SharedRecord): boolean => ownClass(kind, logger) === left;
        const phrases = phrasesIn(...run.records.filter(isLeft).map(({ message }) => message));
        if (phrases.size === 0) continue;
        checked += phrases.size;
        const rest = sharedContents.filter((one) => one !== left);
        const content = JSON.stringify(await reviewed(run, including(rest), nobody, new Pauses()));
        // Standard error isn't in bodies, unless the agent says the same there.
        const stays = [run.records.filter((record) => !isLeft(record)), ...(left === 'stderr' ? [run.messages] : [])];
        leaks.push(...leaksOf(path, phrases, content, phrasesIn(JSON.stringify(stays))));
      }
      assert.ok(checked > 40, String(checked));
      assert.deepEqual(leaks, []);
    });
  }

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
    const folder = await mkdtemp(join(tmpdir(), 'agent-logs-leaks-'));
    const path = join(folder, 'run.ndjson');
    const line = (message: object) => linesText({ jsonrpc: '2.0', ...message }).trimEnd();
    const prompt = (id: number, text: string) =>
      line({ id, method: 'session/prompt', params: { sessionId: 's', prompt: [{ type: 'text', text }] } });
    // As older versions wrote them, without `ms`.
    const wire = (dir: string, text: string) => linesText({ t: '2026-01-01T00:00:01.000Z', dir, line: text });
    const failed = (id: number, message: string) => line({ id, error: { code: -32000, message } });
    const lines = [
      header({ agent: secret, command: [secret] }),
      wire('c2a', prompt(1, `${secret} ${'x y '.repeat(2_600_000)}`)),
      ...spellings.flatMap((one, index) => [
        wire('c2a', prompt(index + 2, one)),
        wire('a2c', failed(index + 2, `cannot: ${one}`)),
        wire('err', `error: ${one}`),
        wire('a2c', line({ method: one, params: { [one]: one } })),
      ]),
      `${wire('c2a', secret).slice(0, -3)}\n`,
      wire('a2c', `no JSON: ${secret}`),
    ];
    await writeFile(path, lines.join('').trimEnd());
    const run = await collect(path);
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
const product = phrasesIn(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
