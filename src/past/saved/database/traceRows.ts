import type { Database } from '../../../agents/database';
import type { KeyedLine } from '../../../agents/reading/saved/keyedLine';
import type { SavedDatabase, SessionRows } from '../../../agents/savedDatabase';
import type { JsonObject } from '../../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../../text/json';
import { deepJson, parsedJson } from '../../../text/jsonText';

/** How many spans to read at once, and how much of an attribute, in characters. */
const spansAtOnce = 200;
const maxValue = 65_536;

/** Attributes that have a column of their own, where numbers are numbers. */
const typed = {
  input_tokens: 'gen_ai.usage.input_tokens',
  output_tokens: 'gen_ai.usage.output_tokens',
  cached_tokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoning_tokens: 'gen_ai.usage.reasoning.output_tokens',
} as const;
const columns = ['span_id', 'trace_id', 'parent_span_id', 'name', 'start_time_ms', 'end_time_ms'];
const optional = ['status_code', 'status_message', 'conversation_id', 'chat_session_id', ...Object.keys(typed)];

/** The spans that Copilot Chat for VS Code keeps in `agent-traces.db` (`github.copilot.chat.otel.dbSpanExporter.enabled`). */
export const traceDatabase: Pick<SavedDatabase, 'tables' | 'recognises' | 'rows'> = {
  tables: ['spans', 'span_attributes', 'span_events'],
  recognises: ({ columns: known }) =>
    columns.every((name) => known.get('spans')?.has(name)) && known.get('span_attributes')?.has('key') === true,
  rows: (session) => new TraceRows(session),
};

/** Reads spans as requests of OTLP/JSON, each when it was written. */
class TraceRows implements SessionRows {
  isAtEnd = false;
  bytes = 0;
  private last = 0;

  /** @param session the end of its ID; empty for all */
  constructor(private readonly session: string) {}

  async read(of: Database): Promise<readonly KeyedLine[] | undefined> {
    const { rows, isCut } = await this.spansAfter(of, spansAtOnce);
    this.isAtEnd = !isCut && rows.length < spansAtOnce;
    this.last = numberOf(rows.at(-1)?.['row']) ?? this.last;
    const lines = rows.map((row): KeyedLine => ({ key: `span ${textOf(row['span_id']) ?? ''}`, line: requestOf(row) }));
    for (const { line } of lines) this.bytes += deepJson(line).length;
    return lines.length === 0 ? undefined : lines;
  }

  async isChanged(of: Database): Promise<boolean> {
    const { rows } = await this.spansAfter(of, 1);
    this.isAtEnd &&= rows.length === 0;
    return rows.length > 0;
  }

  private spansAfter(of: Database, limit: number): ReturnType<Database['page']> {
    const known = of.columns.get('spans') ?? new Set();
    const named = [...columns, ...optional].map((name) => `${known.has(name) ? `s.${name}` : 'null'} as ${name}`);
    const value = `substr(value, 1, ${maxValue})`;
    const events = of.columns.has('span_events')
      ? `(select json_group_array(json_object('name', e.name, 'at', e.timestamp_ms, 'attributes', substr(e.attributes, 1, ${maxValue}))) from span_events e where e.span_id = s.span_id)`
      : 'null';
    const sessions = ['conversation_id', 'chat_session_id'].filter((name) => known.has(name));
    const isWanted = sessions.map((name) => `substr(${name}, -length(?)) = ?`).join(' or ');
    const filter = this.session === '' ? '' : `and s.trace_id in (select trace_id from spans where ${isWanted})`;
    const wanted = this.session === '' ? [] : sessions.flatMap(() => [this.session, this.session]);
    const attributes = `(select json_group_object(a.key, ${value}) from span_attributes a where a.span_id = s.span_id)`;
    return of.page(
      `select s.rowid as row, ${named.join(', ')}, ${attributes} as attributes, ${events} as events
       from spans s where s.rowid > ? ${filter} order by s.rowid limit ${limit}`,
      this.last,
      ...wanted,
    );
  }
}

function requestOf(row: JsonObject): JsonObject {
  const session = textOf(row['conversation_id']) ?? textOf(row['chat_session_id']);
  const numbers = Object.entries(typed).flatMap(([column, name]) => {
    const count = numberOf(row[column]);
    return count === undefined ? [] : [[name, count] as const];
  });
  const span = {
    traceId: row['trace_id'],
    spanId: row['span_id'],
    parentSpanId: row['parent_span_id'],
    name: row['name'],
    startTimeUnixNano: nanoseconds(row['start_time_ms']),
    endTimeUnixNano: nanoseconds(row['end_time_ms']),
    status: { code: row['status_code'], message: row['status_message'] },
    attributes: {
      ...objectOf(parsedJson(textOf(row['attributes']) ?? '')),
      ...Object.fromEntries(numbers),
      ...(session !== undefined && { 'gen_ai.conversation.id': session }),
    },
    events: arrayOf(parsedJson(textOf(row['events']) ?? ''))
      .map(objectOf)
      .map(({ name, at, attributes }) => ({
        name,
        timeUnixNano: nanoseconds(at),
        attributes: objectOf(parsedJson(textOf(attributes) ?? '')),
      })),
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

/** Milliseconds as OTLP has them. */
function nanoseconds(ms: unknown): string {
  return `${Math.round(numberOf(ms) ?? 0)}000000`;
}
