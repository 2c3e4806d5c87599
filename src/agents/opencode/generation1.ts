import { numberOf, textOf } from '../../text/json';
import type { Database } from '../database';
import { allRows } from '../database';
import { knownDetails } from '../savedDetails';
import { dataColumns, jsonIn } from './columns';
import type { Generation } from './generation';
import { matchesIn, outcomeIn, ownTitle, shortText } from './generation';
import { OpencodeRows } from './rows';

/** Maximum length of what a step used, in bytes. */
const maxUsage = 4096;

/** The session whose messages a fork has, which are older than it; empty if it is gone. `undefined` if the session is no fork. */
async function originOf(of: Database, id: string): Promise<string | undefined> {
  const [copy] = await allRows(
    of,
    `select max(message.time_created) as at from message, session
     where session.id = ? and message.session_id = session.id and message.time_created < session.time_created`,
    id,
  );
  const at = numberOf(copy?.['at']);
  if (at === undefined) return undefined;
  const [row] = await allRows(
    of,
    `select other.id as id from session as own, session as other
     where own.id = ? and other.directory = own.directory and other.time_created < own.time_created
     and exists(select 1 from message where session_id = other.id and time_created = ?)
     order by other.time_created desc limit 1`,
    id,
    at,
  );
  return textOf(row?.['id']) ?? '';
}

/** A fork's own comes before what it copied, whose messages are older than the session. */
async function firstPrompt(of: Database, id: string): Promise<string | undefined> {
  const [row] = await allRows(
    of,
    `select ${dataColumns} from part where session_id = ? and message_id = (
       select id from message where session_id = part.session_id and data like '%"role":"user"%'
       order by time_created < (select time_created from session where id = message.session_id), time_created limit 1)
     and data like '%"type":"text"%' order by time_created limit 1`,
    id,
  );
  return shortText(jsonIn(row, 'data')['text']);
}

/** OpenCode 1.2 and later: messages, and their parts. */
export const generation1: Generation = {
  tables: ['session', 'message', 'part'],
  sessions: 'session',
  async outcome(of, id) {
    const sql = `select ${dataColumns}, time_updated from message where session_id = ? order by time_created desc limit 1`;
    const [row] = await allRows(of, sql, id);
    const forkedFrom = await originOf(of, id);
    const [session] = await allRows(of, 'select title from session where id = ?', id);
    const title = ownTitle(session?.['title']) ?? (await firstPrompt(of, id));
    const lastAt = numberOf(row?.['time_updated']);
    return { ...outcomeIn(jsonIn(row, 'data')), ...knownDetails({ title, forkedFrom, lastAt }) };
  },
  matches: (of, ...query) => matchesIn(of, { tables: ['part', 'message'], sessions: 'session' }, ...query),
  // Of each step, as in `OpencodeReader`.
  usages: (filter) =>
    `select session_id, time_created as at, json_extract(data, '$.tokens') as tokens, json_extract(data, '$.cost') as cost
     from part where session_id in (select id from session where ${filter}) and time_created >= ? and octet_length(data) <= ${maxUsage}
     and data like '%"step-finish"%' and json_valid(data) and not exists(
       select 1 from message, session where message.id = part.message_id and session.id = part.session_id
       and message.time_created < session.time_created)`,
  rows: (id) => new OpencodeRows(id),
};
