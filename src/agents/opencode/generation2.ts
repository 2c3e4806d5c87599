import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedDetails, SavedOutcome } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import { jsonIn, numberColumns, textColumns } from './columns';
import type { Generation } from './generation';
import { matchesIn, outcomeIn, shortText } from './generation';
import { OpencodeRows2 } from './rows2';

/** Longer messages aren't read for the list, in bytes. */
const maxListed = 1024 * 1024;
/** Number of messages to look for the newest answer in. */
const maxNewest = 5;

const outcomes: ReadonlyMap<string, SavedOutcome> = new Map([
  ['succeeded', 'ok'],
  ['failed', 'error'],
  ['interrupted', 'cancelled'],
]);

/** OpenCode 2: each message is a row, and so is the end of a turn. */
export const generation2: Generation = {
  tables: ['session_v2', 'session_message'],
  sessions: 'session_v2',
  outcome,
  matches: (of, ...query) => matchesIn(of, { tables: ['session_message'], sessions: 'session_v2' }, ...query),
  // What a fork copied was used before it began.
  usages: (
    filter,
  ) => `select session_id, m.time_created as at, json_extract(data, '$.tokens') as tokens, json_extract(data, '$.cost') as cost
    from session_message as m join (select id, time_created, fork_session_id from session_v2 where ${filter}) as s on s.id = session_id
    where type in ('assistant', 'compaction') and m.time_created >= ? and (fork_session_id is null or m.time_created >= s.time_created)
    and octet_length(data) <= ${maxListed} and json_valid(data)`,
  rows: (id) => new OpencodeRows2(id),
};

async function outcome(of: Database, id: string): Promise<SavedDetails> {
  const columns = `${textColumns(of, 'session_v2', ['title', 'idle_outcome'])}, ${numberColumns(of, 'session_v2', ['time_suspended'])}`;
  const [session] = await allRows(of, `select ${columns} from session_v2 where id = ?`, id);
  const newest = await messages(of, id, `in ('user', 'assistant', 'idle')`, `desc limit ${maxNewest}`);
  const answer = jsonIn(
    newest.find(({ type }) => type === 'assistant'),
    'data',
  );
  const title = session?.['title'] === null ? await firstPrompt(of, id) : undefined;
  return knownDetails({
    ...ending(session, newest[0], answer),
    title,
    model: shortText(objectOf(answer['model'])['id']),
    lastAt: numberOf(newest[0]?.['time_updated']),
  });
}

function ending(session: JsonObject | undefined, newest: JsonObject | undefined, answer: JsonObject): SavedDetails {
  // Set while a turn runs, and left over by a kill.
  if (numberOf(session?.['time_suspended']) !== undefined) return { outcome: 'open', isBusy: true };
  if (newest?.['type'] === 'assistant') return outcomeIn(answer);
  const idle = newest?.['type'] === 'idle' ? jsonIn(newest, 'data')['outcome'] : session?.['idle_outcome'];
  const how = newest?.['type'] === 'user' ? 'open' : (outcomes.get(textOf(idle) ?? '') ?? 'open');
  return how === 'error' ? { ...outcomeIn(answer), outcome: how } : { outcome: how };
}

async function firstPrompt(of: Database, id: string): Promise<string | undefined> {
  const [prompt] = await messages(of, id, `= 'user'`, 'limit 1');
  return shortText(jsonIn(prompt, 'data')['text']);
}

async function messages(of: Database, id: string, types: string, order: string): Promise<readonly JsonObject[]> {
  const sql = `select type, time_updated, case when octet_length(data) <= ${maxListed} then data end as data
    from session_message where session_id = ? and type ${types} order by seq ${order}`;
  return allRows(of, sql, id);
}
