import * as assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { SharedHead } from '../../../src/share/sharedFile';
import { findIn } from '../../../src/share/review/findings';
import { Pauses } from '../../../src/share/review/pauses';
import { partId } from '../../../src/share/sharedFile';
import type { SharedRecord, SharedRun } from '../../../src/share/sharedRun';
import { writeShared } from '../../../src/share/writeShared';

const page = { script: 'go("<\\/script>");', style: 'a{}', locale: 'en', translations: {} };

describe('writeShared', () => {
  it('has everything in compressed parts, in their order', async () => {
    const records = Array.from({ length: 9000 }, (_, n) => record(n + 1, `message ${n}`));
    const html = await written(runWith(records));
    const { parts, cut } = headOf(html);
    assert.deepEqual([parts, cut], [{ records: 3, messages: 0 }, []]);
    const all = [0, 1, 2].flatMap((n) => recordsOf(html, n));
    assert.deepEqual(all, records);
  });

  it('leaves out the oldest records of what is larger than 20 MB, and says how many', async () => {
    const text = (): string => randomBytes(384 * 1024).toString('base64');
    const html = await written(runWith(Array.from({ length: 50 }, (_, n) => record(n + 1, text()))));
    const { cut, parts } = headOf(html);
    assert.ok(html.length < 20.1 * 1024 * 1024, String(html.length));
    assert.equal(recordsOf(html, parts.records - 1).at(-1)?.seq, 50);
    const first = recordsOf(html, 0)[0]?.seq ?? 0;
    assert.ok(first > 1);
    assert.deepEqual(cut, [{ type: 'records', count: first - 1 }]);
  });

  it('has records however deep their data are, and findings look into them', async () => {
    const data = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    const deep = runWith([{ ...record(1, 'deep'), data }]);
    const found = await findIn(deep, { users: ['somebody'], hosts: [] }, new Pauses());
    assert.equal(found.contents.prompts.count, 0);
    const html = await written(deep);
    assert.equal(recordsOf(html, 0)[0]?.message, 'deep');
  });

  it('has nothing of the run as text, and a policy that allows only its own script and style', async () => {
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u2028\u0000"\'`${x}';
    const html = await written({ ...runWith([record(1, hostile)]), name: hostile });
    assert.ok(!html.includes('alert') && !html.includes('onerror') && !html.includes('\u2028'));
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1]?.split('; ') ?? [];
    assert.deepEqual(policy, [
      "default-src 'none'",
      `script-src '${hashOf(page.script)}'`,
      `style-src '${hashOf(page.style)}'`,
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types agent-logs',
    ]);
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code);
    assert.deepEqual(scripts, [page.script]);
  });
});

function runWith(records: readonly SharedRecord[]): SharedRun {
  const about = { name: 'Run', protocol: 'acp', startedAt: 0, sharedAt: 0 } as const;
  return { ...about, sessions: [], records, messages: [], spans: [], cut: [] };
}

function record(seq: number, message: string): SharedRecord {
  return { seq, receivedAt: seq, level: 'info', kind: 'log', message };
}

async function written(run: SharedRun): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeShared(run, page)) pieces.push(piece);
  return pieces.join('');
}

function headOf(html: string): SharedHead {
  return partOf(html, partId.head) as SharedHead;
}

function recordsOf(html: string, part: number): readonly SharedRecord[] {
  return partOf(html, `${partId.records}-${part}`) as readonly SharedRecord[];
}

function partOf(html: string, id: string): unknown {
  const start = html.indexOf('>', html.indexOf(`id="${id}"`)) + 1;
  const base64 = html.slice(start, html.indexOf('<', start));
  return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString());
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
