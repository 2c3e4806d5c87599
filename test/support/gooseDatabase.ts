/** Tables of goose's fifth schema; the newest has more columns. */
const schema = [
  `create table sessions (id text primary key, name text not null default '', description text not null default '',
   session_type text not null default 'user', working_dir text not null, created_at timestamp, updated_at timestamp,
   extension_data text default '{}', accumulated_total_tokens integer)`,
  `create table messages (id integer primary key autoincrement, session_id text not null, role text not null,
   content_json text not null, created_timestamp integer not null, timestamp timestamp, tokens integer, metadata_json text)`,
];

const used =
  '{"inference":{"resolvedModel":"gpt-5"},"usage":{"inputTokens":1200,"outputTokens":60,"cacheReadTokens":300,"cost":0.007}}';

/** The session with a tool that failed. */
export const gooseSession = '20261124_3';
export const gooseRequest = toolRequest('c1', 'sh run-tests.sh');
export const gooseResponse =
  '[{"type":"toolResponse","id":"c1","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"not ok 1"}],"isError":true}}}]';
export const gooseFailure = gooseText(
  'Ran into this error: Authentication error: 401 Incorrect API key.\n\nPlease retry if you think so.',
);

export function gooseText(text: string): string {
  return JSON.stringify([{ type: 'text', text }]);
}

/** @param second after the session has begun */
export function gooseMessage(key: string, role: string, content: string, second: number, metadata?: string): string {
  const about = metadata === undefined ? 'null' : `'${metadata}'`;
  return `insert into messages (session_id, role, content_json, created_timestamp, metadata_json)
    values ('${key}', '${role}', '${content.replaceAll("'", "''")}', ${1_795_514_400 + second}, ${about})`;
}

/** Two sessions and one of a subagent, as goose's source writes them. */
export const gooseDatabase: readonly string[] = [
  ...schema,
  session('Parser tests', { id: gooseSession, day: 24 }),
  session('Older', { id: '20261123_1', day: 23 }),
  session('Helper', { id: '20261124_4', type: 'sub_agent', day: 24 }),
  gooseMessage(gooseSession, 'user', gooseText("Run the project's tests."), 0),
  gooseMessage(gooseSession, 'assistant', gooseRequest, 2, used),
  gooseMessage(gooseSession, 'user', gooseResponse, 3),
  gooseMessage(gooseSession, 'assistant', gooseText('The tests fail.'), 5, used),
  gooseMessage('20261123_1', 'user', gooseText('Who may use this?'), 0),
  gooseMessage('20261123_1', 'assistant', gooseFailure, 1),
];

function toolRequest(call: string, command: string): string {
  const value = { name: 'developer__shell', arguments: { command } };
  return JSON.stringify([
    { type: 'text', text: 'Let me look.' },
    { type: 'toolRequest', id: call, toolCall: { status: 'success', value } },
  ]);
}

function session(name: string, fields: { readonly id: string; readonly type?: string; readonly day: number }): string {
  const { id: key, type = 'user', day } = fields;
  const times = `'2026-11-${day} 10:00:00', '2026-11-${day} 10:05:00'`;
  return `insert into sessions (id, name, session_type, working_dir, created_at, updated_at)
    values ('${key}', '${name}', '${type}', '/home/dev/project', ${times})`;
}
