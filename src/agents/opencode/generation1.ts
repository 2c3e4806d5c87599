import { allRows } from '../database';
import { dataColumns, jsonIn } from './columns';
import type { Generation } from './generation';
import { matchesIn, outcomeIn } from './generation';
import { OpencodeRows } from './rows';

/** OpenCode 1.2 and later: messages, and their parts. */
export const generation1: Generation = {
  tables: ['session', 'message', 'part'],
  sessions: 'session',
  async outcome(of, id) {
    const sql = `select ${dataColumns} from message where session_id = ? order by time_created desc limit 1`;
    const [row] = await allRows(of, sql, id);
    return outcomeIn(jsonIn(row, 'data'));
  },
  matches: (of, ...query) => matchesIn(of, ['part', 'session'], ...query),
  rows: (id) => new OpencodeRows(id),
};
