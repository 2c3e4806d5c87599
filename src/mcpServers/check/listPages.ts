import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';

export type List = 'tools' | 'prompts' | 'resources';

/** A server that has more than this doesn't end, or is of no use. */
const maxPages = 100;
const maxEntries = 20_000;
/** Of all pages, in characters of JSON. No model has room for a hundredth of it. */
const maxLength = 8 * 1024 * 1024;

/**
 * All entries of a list (MCP "Pagination"), as far as it ends.
 * @param ask requests a page
 */
export async function listPages(
  ask: (params: JsonObject) => Promise<JsonObject>,
  list: List,
): Promise<{ readonly entries: readonly unknown[]; /** Why it isn't whole. */ readonly cutBy?: Words }> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let length = 0;
  for (let params: JsonObject = {}; ;) {
    const result = await ask(params);
    const found = result[list];
    if (Array.isArray(found)) for (const entry of found as unknown[]) entries.push(entry);
    const cursor = textOf(result['nextCursor']);
    if (cursor === undefined || cursor === '') return { entries };
    if (cursors.has(cursor)) return { entries, cutBy: t('`{0}/list` repeats a page, so it never ends', list) };
    cursors.add(cursor);
    length += boundedJson(result, maxLength).length;
    if (cursors.size >= maxPages || entries.length > maxEntries || length > maxLength) {
      return { entries, cutBy: t('`{0}/list` is too long: the rest after page {1} was not read', list, cursors.size) };
    }
    params = { cursor };
  }
}
