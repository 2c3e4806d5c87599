import { t } from '../../../text/translator';
import type { Finding } from './finding';
import type { ListedTool, ListingServer } from './listedTool';

const writing = new Set(
  `add append apply approve archive assign book buy cancel clear close commit copy create delete deploy destroy disable drop edit
  enable erase exec execute import insert install kill lock merge migrate modify move overwrite patch pay post publish purge push put
  remove rename replace reset restart restore revoke rollback save send set shutdown start stop submit terminate transfer
  truncate uninstall unlock update upload upsert write`.split(/\s+/),
);

/** What is after one of these is what is read: `get_commit`, `list_copy_jobs`. */
const reading = new Set('count describe diff fetch get has is list lookup query read show view'.split(' '));

/** Tools that write and don't say so in their annotations (MCP "Tool annotations"). Only their names are known, so it is a guess. */
export function annotationFindings({ label: server, tools }: ListingServer): readonly Finding[] {
  return tools.filter(({ name }) => isWriting(name)).flatMap((tool) => ofTool(tool, server));
}

function ofTool({ name, annotations }: ListedTool, server: string): readonly Finding[] {
  const place = { server, tools: [name], severity: 'warning' } as const;
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === true) {
    const message = t('By its name, the tool writes, but its annotations say that it only reads');
    const advice = t('Remove `readOnlyHint` if the tool changes anything: clients may run it without asking.');
    return [{ ...place, code: 'wrong-annotations', message, advice }];
  }
  if (typeof readOnlyHint === 'boolean' || typeof destructiveHint === 'boolean') return [];
  const message = t('By its name, the tool writes, but it has no annotations');
  const advice = t(
    'Set `readOnlyHint` and `destructiveHint` in `annotations`, by which clients decide whether to ask.',
  );
  return [{ ...place, code: 'no-annotations', message, advice }];
}

/** Whether a name begins with a verb that changes something, after a prefix of one word at most: `git_commit`. */
function isWriting(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const verb = words.slice(0, 2).find((word) => writing.has(word) || reading.has(word));
  return verb !== undefined && writing.has(verb);
}
