import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { BesideRetry } from '../reading/saved/besideLines';
import { retryLine } from '../reading/saved/besideLines';
import type { Beside, BesideForm } from '../beside';
import type { Database } from '../database';
import { allRows } from '../database';

/** Maximum number of rows to read; the newest count. */
const maxRows = 20_000;
const maxRetries = 1000;

/** Codex' databases, such as `state_5.sqlite`: the number is the version of the schema. */
export const beside: BesideForm = {
  databases: 'CODEX_SQLITE_HOME',
  retries: ({ id }, files) =>
    files.rows(/^logs_(\d{1,6})\.sqlite$/, ['logs'], async (database) => {
      const rows = await allRows(
        database,
        `select ts, ts_nanos, substr(feedback_log_body, -2000) as body from logs
         where thread_id = ? and target like '%::responses_retry' order by ts, ts_nanos limit ${maxRetries}`,
        id,
      );
      return rows.flatMap((row) => {
        const at = (numberOf(row['ts']) ?? NaN) * 1000 + Math.floor((numberOf(row['ts_nanos']) ?? 0) / 1e6);
        return codexRetry(textOf(row['body']) ?? '', at) ?? [];
      });
    }),
  // Rollouts don't have the names.
  async titles(files) {
    const [index, threads] = await Promise.all([
      indexTitles(files),
      files.rows(/^state_(\d{1,6})\.sqlite$/, ['threads'], threadTitles).catch(() => []), // The index and the first prompt remain.
    ]);
    const pairs = (these: readonly ThreadTitle[]) => these.map(({ id, title }) => [id, title] as const);
    return new Map([...pairs(threads), ...index, ...pairs(threads.filter(({ isName }) => isName))]);
  },
};

/**
 * Reads a row that `codex_core::responses_retry` wrote to Codex' `logs_2.sqlite`.
 * @param at milliseconds since the epoch
 */
export function codexRetry(body: string, at: number): BesideRetry | undefined {
  const end = body.slice(-2000);
  const [, attempt, max, time] = /\((\d{1,6})\/(\d{1,6}) in ([\d.]{1,20}m?s)\)/.exec(end) ?? [];
  const error = /\bsampling_error=([\s\S]{1,1000})$/.exec(end)?.[1];
  if (attempt === undefined || max === undefined) return undefined;
  const status = /\b(?:status:? |status=)([45]\d\d)\b/.exec(error ?? '')?.[1];
  const ms = time === undefined ? NaN : parseFloat(time) * (time.endsWith('ms') ? 1 : 1000);
  return retryLine(at, {
    why: error ?? 'the stream was disconnected',
    attempt: Number(attempt),
    max: Number(max),
    ...(Number.isFinite(ms) && { inMs: Math.round(ms) }),
    ...(status !== undefined && { status: Number(status) }),
  });
}

async function indexTitles(files: Beside): Promise<readonly (readonly [string, string])[]> {
  const lines = await files.lines(['session_index.jsonl'], (line) => line.includes('"thread_name"'));
  return lines.flatMap((line): [string, string][] => {
    const entry = objectOf(parsedJson(line));
    const [id, name] = [textOf(entry['id']), textOf(entry['thread_name'])];
    return id === undefined || name === undefined ? [] : [[id, name]];
  });
}

interface ThreadTitle {
  readonly id: string;
  readonly title: string;
  /** True if the user gave it. */
  readonly isName: boolean;
}

async function threadTitles(database: Database): Promise<readonly ThreadTitle[]> {
  return (await threadRows(database)).flatMap((row) => {
    const [id, name, title] = [textOf(row['id']), textOf(row['name']), textOf(row['title'])];
    const shown = name ?? title;
    return id === undefined || shown === undefined ? [] : { id, title: shown, isName: name !== undefined };
  });
}

function threadRows(database: Database): Promise<readonly JsonObject[]> {
  const query = (name: string): Promise<readonly JsonObject[]> =>
    allRows(
      database,
      `select id, substr(title, 1, 500) as title, ${name} as name from threads
       order by updated_at desc limit ${maxRows}`,
    );
  return query('substr(name, 1, 500)').catch(() => query('null')); // The column is new in 2026.
}
