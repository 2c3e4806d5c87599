import { numberOf, textOf } from '../../text/json';
import { usageOf } from '../../work/usage/usage';
import { jsonIn } from './columns';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedDatabase, SavedRow, SessionRows } from '../savedDatabase';
import { rowLag } from '../savedDatabase';
import { generation1 } from './generation1';
import { generation2 } from './generation2';
import type { Generation } from './generation';
import { maxSessions, sessionsIn } from './generation';
import { convention } from './usage';

/** Maximum number of requests to add up. */
const maxUsages = 50_000;

/** What differs between OpenCode and agents that are made of it. */
type OwnDatabase = Pick<SavedDatabase, 'file' | 'otherFiles' | 'fileVariable' | 'before'>;

/**
 * OpenCode's database; the tables exist since OpenCode 1.2. Version 2 copies all sessions to tables of its own, under the same IDs, and
 * continues them there, so these count. If version 1 runs again, only the old tables have its new sessions.
 */
export function databaseOf(own: OwnDatabase): SavedDatabase {
  return {
    ...own,
    // None of the others, some of which have credentials.
    tables: [...generation1.tables, ...generation2.tables],
    recognises({ columns }) {
      const has = (table: string, ...names: readonly string[]): boolean =>
        names.every((name) => columns.get(table)?.has(name) === true);
      return (
        (has('session', 'id', 'time_created') && has('message', 'session_id', 'data') && has('part', 'message_id')) ||
        (has('session_v2', 'id', 'time_created') && has('session_message', 'session_id'))
      );
    },
    async sessions(of, limit = maxSessions) {
      const found = await everywhere(of, limit, 'true', 'order by time_updated desc');
      return found.sort((a, b) => b.lastAt - a.lastAt).slice(0, limit);
    },
    children: (of, id) => everywhere(of, maxSessions, 'parent_id = ?', 'order by time_created', id),
    async outcome(of, id) {
      return (await generationOf(of, id)).outcome(of, id);
    },
    async usages(of, since) {
      const parts = generationsIn(of).map((generation) => generation.usages(changedSince(of, generation)));
      const sql = `${parts.join(' union all ')} limit ${maxUsages}`;
      const { rows, isCut } = await of.page(sql, ...parts.flatMap(() => [since - rowLag, since]));
      const requests = rows.map((row) => {
        const usage = usageOf(jsonIn(row, 'tokens'), 'turn', { convention, cost: row['cost'] });
        return { session: textOf(row['session_id']) ?? '', at: numberOf(row['at']) ?? 0, usage };
      });
      return { requests, isCut: isCut || rows.length === maxUsages };
    },
    async matches(of, id, words, limit) {
      return (await generationOf(of, id)).matches(of, id, words, limit);
    },
    rows: (id) => new EitherRows(id),
  };
}

export const database = databaseOf({
  file: 'opencode.db',
  // Those of other release channels.
  otherFiles: /^opencode-[\w.-]{1,100}\.db$/,
  fileVariable: 'OPENCODE_DB',
  before: { version: '1.2', folder: ['storage', 'session'] },
});

/** Version 1.18 already has an empty `session_message`. */
function generationsIn({ columns }: Database): readonly Generation[] {
  if (!columns.has('session_v2')) return [generation1];
  return columns.has('session') ? [generation1, generation2] : [generation2];
}

async function everywhere(
  of: Database,
  limit: number,
  filter: string,
  order: string,
  ...values: readonly string[]
): Promise<SavedRow[]> {
  const found: SavedRow[] = [];
  for (const generation of generationsIn(of)) {
    const own = `${filter}${ownOf(of, generation)}`;
    found.push(...(await sessionsIn(of, generation.sessions, `where ${own} ${order} limit ${limit}`, ...values)));
  }
  return found;
}

/** Leaves out sessions that version 2 has, too. */
function ownOf(of: Database, generation: Generation): string {
  const isLeft = generation === generation1 && generationsIn(of).length > 1;
  return isLeft ? ` and id not in (select id from ${generation2.sessions})` : '';
}

function changedSince(of: Database, generation: Generation): string {
  return `time_updated >= ?${ownOf(of, generation)}`;
}

async function generationOf(of: Database, id: string): Promise<Generation> {
  if (!generationsIn(of).includes(generation2)) return generation1;
  const rows = await allRows(of, `select id from ${generation2.sessions} where id = ?`, id);
  return rows.length > 0 ? generation2 : generation1;
}

/** A session of either generation. */
class EitherRows implements SessionRows {
  private rows: SessionRows | undefined;

  constructor(private readonly id: string) {}

  get isAtEnd(): boolean {
    return this.rows?.isAtEnd ?? false;
  }

  get bytes(): number {
    return this.rows?.bytes ?? 0;
  }

  async read(of: Database): Promise<readonly KeyedLine[] | undefined> {
    return (await this.known(of)).read(of);
  }

  async isChanged(of: Database): Promise<boolean> {
    return (await this.known(of)).isChanged(of);
  }

  private async known(of: Database): Promise<SessionRows> {
    return (this.rows ??= (await generationOf(of, this.id)).rows(this.id));
  }
}
