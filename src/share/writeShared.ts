import { deepJson } from '../text/jsonText';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import type { SharedHead } from './sharedFile';
import { partId } from './sharedFile';
import type { SharedPage } from './sharedPage';
import type { SharedCut, SharedRun } from './sharedRun';

/** Maximum size of what is shared, and of its messages, in characters of the file. The newest come first. */
const maxData = 20 * 1024 * 1024;
const maxMessages = 8 * 1024 * 1024;
/** Maximum length of a part before it is compressed, in UTF-16 units, and number of its items. A browser reads one at a time. */
const maxPart = 1024 * 1024;
const maxItems = 4000;

const compress = promisify(gzip);

/** Writes a run as one HTML file, piece by piece. Nothing in it comes from the run but compressed data in Base64. */
export async function* writeShared(shared: SharedRun, page: SharedPage): AsyncGenerator<string> {
  const messages = await partsOf(shared.messages, maxMessages);
  const records = await partsOf(shared.records, maxData - messages.size);
  const { records: _, messages: __, ...rest } = shared;
  const { locale, translations } = page;
  const head: SharedHead = {
    ...rest,
    cut: [...shared.cut, ...cutOf('records', records.left), ...cutOf('messages', messages.left)],
    parts: { records: records.texts.length, messages: messages.texts.length },
    locale,
    translations,
  };
  yield beginning(page);
  yield block(partId.head, await compressed(head));
  for (const [index, text] of records.texts.entries()) yield block(`${partId.records}-${index}`, text);
  for (const [index, text] of messages.texts.entries()) yield block(`${partId.messages}-${index}`, text);
  yield `<script>${page.script}</script>\n</body>\n</html>\n`;
}

interface Parts {
  /** Oldest first. */
  readonly texts: readonly string[];
  readonly size: number;
  /** Number of older items that didn't fit. */
  readonly left: number;
}

async function partsOf(items: readonly unknown[], maxSize: number): Promise<Parts> {
  const texts: string[] = [];
  let size = 0;
  let end = items.length;
  while (end > 0) {
    const { json, from } = partBefore(end, items);
    const text = await compressed(json);
    if (size + text.length > maxSize) break;
    size += text.length;
    texts.push(text);
    end = from;
  }
  return { texts: texts.reverse(), size, left: end };
}

/** The last items before a place that make a part. */
function partBefore(
  end: number,
  items: readonly unknown[],
): { readonly json: readonly string[]; readonly from: number } {
  const json: string[] = [];
  let from = end;
  for (let length = 0; from > 0 && json.length < maxItems && length < maxPart; from--) {
    const text = deepJson(items[from - 1]);
    json.push(text);
    length += text.length;
  }
  return { json: json.reverse(), from };
}

/** @param value a list of texts in JSON, or a value */
async function compressed(value: SharedHead | readonly string[]): Promise<string> {
  const json = Array.isArray(value) ? `[${value.join(',')}]` : deepJson(value);
  return (await compress(json)).toString('base64');
}

function cutOf(type: 'records' | 'messages', count: number): readonly SharedCut[] {
  return count === 0 ? [] : [{ type, count }];
}

function block(id: string, text: string): string {
  return `<script type="application/octet-stream" id="${id}">${text}</script>\n`;
}

function beginning({ script, style, locale, translations }: SharedPage): string {
  const policy = [
    `default-src 'none'`,
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    `worker-src blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types agent-logs`,
  ].join('; ');
  const l10n: Translator = { t: (text, ...args) => english.t(translations[text] ?? text, ...args) };
  return `<!DOCTYPE html>
<html lang="${/^[\w-]+$/.test(locale) ? locale : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Agent Logs</title>
<style>${style}</style>
</head>
<body>
<noscript>${l10n.t('This file shows a recorded run. It needs JavaScript, which your browser doesn’t run here.')}</noscript>
<div id="bar"></div>
<div id="explorer"></div>
`;
}

/** As in a policy. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
