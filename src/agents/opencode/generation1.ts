import { allRows } from '../database';
import { dataColumns, jsonIn } from './columns';
import type { Generation } from './generation';
import { matchesIn, outcomeIn } from './generation';
import { OpencodeRows } from './rows';

/** Maximum length of what a step used, in bytes. */
const maxUsage = 4096;

/** OpenCode 1.2 and later: messages, and their parts. */
export const generation1: Generation = {
  tables: ['session', 'message', 'part'],
  sessions: 'session',
  async outcome(of, id) {
    const sql = `select ${dataColumns} from message where session_id = ? order by time_created desc limit 1`;
    const [row] = await allRows(of, sql, id);
    return outcomeIn(jsonIn(row, 'data'));
  },
  matches: (of, ...query) => matchesIn(of, { tables: ['part', 'message'], sessions: 'session' }, ...query),
  // Of each step, as in `OpencodeReader`.
  usages: (filter) =>
    `select session_id, time_created as at, json_extract(data, '$.tokens') as tokens, json_extract(data, '$.cost') as cost
     from part where session_id in (select id from session where ${filter}) and time_created >= ? and octet_length(data) <= ${maxUsage}
     and data like '%"step-finish"%' and json_valid(data)`,
  rows: (id) => new OpencodeRows(id),
};
