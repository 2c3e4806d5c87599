import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random';
import { base62, hexDigits, lowerCase } from './random';

/** Lines without a secret, by where they come from. */
export interface Corpus {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Longer lines are mostly generated code. They are cut when shown. */
const maxLength = 500;

export function corporaOf(root: string, random: Random): readonly Corpus[] {
  return [
    { name: 'traps', lines: readFileSync(join(root, 'test/redaction/traps.txt'), 'utf8').split('\n').filter(isUsable) },
    { name: 'recordings', lines: recordings(join(root, 'test/fixtures')) },
    { name: 'packages', lines: packages(join(root, 'node_modules'), random) },
    { name: 'project', lines: project(root, random) },
    { name: 'logs', lines: Array.from({ length: 8000 }, () => logLine(random)) },
  ];
}

function isUsable(line: string): boolean {
  return line.trim() !== '' && line.length <= maxLength && !line.startsWith('# ---');
}

/** All readable text in the project's recordings. */
function recordings(folder: string): string[] {
  const found = new Set<string>();
  const add = (text: string): void =>
    text
      .split(/\r?\n/)
      .filter(isUsable)
      .forEach((line) => found.add(line));
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      const inner = value.startsWith('{') ? parsed(value) : undefined;
      if (inner === undefined) add(value);
      else collect(inner);
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  for (const path of filesIn(folder)) {
    if (!/\.(?:ndjson|txt)$/.test(path)) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) collect(parsed(line) ?? line);
  }
  return [...found];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How many files of each kind are read: the kinds that agents read and print most. */
const filesOfKind: Readonly<Record<string, number>> = {
  ...{ js: 280, ts: 240, md: 280, json: 80, mjs: 70, cjs: 60, yml: 50 },
  ...{ txt: 20, css: 10, html: 8, sh: 10, ps1: 7, proto: 6, xml: 4 },
};
const linesOfFile = 30;
const linesOfProject = 6000;

/** Excerpts from files of the installed packages. */
function packages(folder: string, random: Random): string[] {
  const byKind = new Map<string, string[]>();
  for (const path of filesIn(folder)) {
    const kind = /\.([a-z0-9]+)$/.exec(path)?.[1] ?? '';
    if (kind in filesOfKind) byKind.set(kind, [...(byKind.get(kind) ?? []), path]);
  }
  const lines: string[] = [];
  for (const [kind, amount] of Object.entries(filesOfKind)) {
    const paths = byKind.get(kind) ?? [];
    for (let n = 0; n < amount && paths.length > 0; n++) {
      const all = readFileSync(random.pick(paths), 'utf8').split(/\r?\n/).filter(isUsable);
      const start = random.int(0, Math.max(0, all.length - linesOfFile));
      lines.push(...all.slice(start, start + linesOfFile));
    }
  }
  return lines;
}

/** Some of the project's own sources and documents. Tests are skipped because they contain secrets. */
function project(root: string, random: Random): string[] {
  const paths = ['src', 'scripts', 'samples', 'docs'].flatMap((folder) => filesIn(join(root, folder)));
  const texts = [...paths, join(root, 'README.md'), join(root, 'package-lock.json'), join(root, 'package.json')];
  const wanted = texts.filter((path) => /\.(?:m?[jt]s|md|json)$/.test(path));
  const lines = wanted.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(isUsable));
  return Array.from({ length: linesOfProject }, () => random.pick(lines));
}

/** Sorted, so that the order is stable. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

type Make = (random: Random) => string;

const hex = (random: Random, length: number): string => random.text(hexDigits, length);
const uuid = (random: Random): string => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
const base64 = (random: Random, length: number): string => random.text(`${base62}+/`, length);
const word = (random: Random): string => random.text(lowerCase, random.int(3, 9));
const time = (random: Random): string => new Date(Date.UTC(2026, 10, 20) + random.int(0, 86_400_000)).toISOString();
const path = (random: Random): string =>
  `src/${word(random)}/${word(random)}.${random.pick(['ts', 'py', 'go', 'rs', 'java'])}`;

/** Typical log lines, with random IDs, hashes and numbers. */
const logLines: readonly Make[] = [
  (r) => `commit ${hex(r, 40)}`,
  (r) => `${hex(r, 7)} ${word(r)}: fix ${word(r)} in ${path(r)}`,
  (r) => `index ${hex(r, 7)}..${hex(r, 7)} 100644`,
  (r) => `      "integrity": "sha512-${base64(r, 86)}==",`,
  (r) => `    resolved "https://registry.yarnpkg.com/${word(r)}/-/${word(r)}-1.${r.int(0, 20)}.0.tgz#${hex(r, 40)}"`,
  (r) => `  checksum: 10c0/${hex(r, 128)}`,
  (r) => `${word(r)} v${r.int(0, 9)}.${r.int(0, 30)}.0 h1:${base64(r, 43)}=`,
  (r) => `checksum = "${hex(r, 64)}"`,
  (r) => `sha256:${hex(r, 64)}: Pulling fs layer`,
  (r) => `--hash=sha256:${hex(r, 64)} \\`,
  (r) => `ETag: "${hex(r, 32)}"`,
  (r) => `x-request-id: ${uuid(r)}`,
  (r) => `x-amzn-requestid: ${uuid(r)}`,
  (r) => `traceparent: 00-${hex(r, 32)}-${hex(r, 16)}-01`,
  (r) => `cf-ray: ${hex(r, 16)}-FRA`,
  (r) => `${time(r)} INFO request ${uuid(r)} took ${r.int(1, 900)} ms`,
  (r) => `${time(r)} DEBUG session ${uuid(r)} tokens=${r.int(1, 9000)} max_tokens=${r.int(1, 9000)}`,
  (r) =>
    `{"level":30,"time":${1_790_000_000_000 + r.int(0, 1e9)},"pid":${r.int(1, 9999)},"reqId":"${r.text(base62, 21)}","msg":"${word(r)} done"}`,
  (r) => `{"input_tokens":${r.int(1, 9000)},"output_tokens":${r.int(1, 900)},"cache_key":"${hex(r, 32)}"}`,
  (r) => `{"id":"msg_${r.text(base62, 24)}","type":"message","model":"claude-opus-5-5"}`,
  (r) => `{"id":"chatcmpl-${r.text(base62, 29)}","object":"chat.completion"}`,
  (r) => `tool call toolu_${r.text(base62, 24)} finished in ${r.int(1, 900)} ms`,
  (r) => `call_${r.text(base62, 24)} ${path(r)}:${r.int(1, 900)}`,
  (r) => `data:image/png;base64,iVBORw0KGgo${base64(r, 200)}==`,
  (r) =>
    `//# sourceMappingURL=data:application/json;base64,${Buffer.from(`{"version":3,"file":"${word(r)}.js"}`).toString('base64')}`,
  (r) => `    at ${word(r)}.${word(r)} (/home/dev/${path(r)}:${r.int(1, 900)}:${r.int(1, 90)})`,
  (r) => `  File "/usr/lib/python3/${word(r)}.py", line ${r.int(1, 900)}, in ${word(r)}`,
  (r) => `goroutine ${r.int(1, 90)} [running]: main.${word(r)}(0xc000${hex(r, 6)})`,
  (r) => `0x00007f${hex(r, 10)} in ${word(r)} () from /lib/x86_64-linux-gnu/libc.so.6`,
  (r) => `GET https://api.example.com/v1/${word(r)}/${uuid(r)}?page=${r.int(1, 90)}&sort=${word(r)} 200`,
  (r) => `https://github.com/${word(r)}/${word(r)}/blob/${hex(r, 40)}/${path(r)}#L${r.int(1, 900)}`,
  (r) => `https://cdn.example.com/assets/${word(r)}.${r.text(base62, 8)}.js`,
  (r) => `dist/assets/index-${r.text(`${base62}_-`, 8)}.js   ${r.int(1, 900)}.12 kB │ gzip: ${r.int(1, 90)}.01 kB`,
  (r) => `npm WARN deprecated ${word(r)}@${r.int(0, 9)}.${r.int(0, 30)}.1: use ${word(r)} instead`,
  (r) => `arn:aws:iam::${r.text('0123456789', 12)}:role/${word(r)}`,
  (r) => `i-0${hex(r, 16)} running ip-10-0-${r.int(0, 255)}-${r.int(0, 255)}.ec2.internal`,
  (r) =>
    `pod/${word(r)}-${r.text('bcdfghjklmnpqrstvwxz2456789', 9)}-${r.text('bcdfghjklmnpqrstvwxz2456789', 5)} 1/1 Running`,
  (r) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(r, 43)} me@host`,
  (r) => `SHA256:${base64(r, 43)} me@host (ED25519)`,
  (r) => `  "${word(r)}.auth.token.expired": "Your token has expired. Sign in again.",`,
  (r) => `msgid "password.${word(r)}.hint"`,
  (r) => `key=${word(r)} value=${r.int(1, 900)} token_count=${r.int(1, 900)}`,
  (r) => `cache miss for key ${word(r)}:${r.int(1, 99999)}:${hex(r, 8)}`,
  (r) => `primary key (${word(r)}_id), partition key "${word(r)}"`,
  (r) => `token ${r.int(1, 900)} of ${r.int(900, 9000)} at ${path(r)}:${r.int(1, 900)}`,
  (r) => `error TS2304: Cannot find name '${word(r)}Token'. ${path(r)}(${r.int(1, 900)},${r.int(1, 90)})`,
  (r) => `SyntaxError: Unexpected token '${r.pick('}<,;')}' in JSON at position ${r.int(1, 9000)}`,
  (r) => `\u001b[32m✔\u001b[39m ${word(r)} ${word(r)} (${r.int(1, 900)}ms)`,
  (r) => `model=claude-sonnet-4-5-20250929 key=${word(r)} effort=high`,
  (r) => `progressToken: ${r.int(1, 90)}, cursor: "${Buffer.from(`{"offset":${r.int(1, 900)}}`).toString('base64')}"`,
];

function logLine(random: Random): string {
  return random.pick(logLines)(random);
}
