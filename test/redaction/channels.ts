/** The kinds of case file, one per input format of `tail`. */
export type FileKind = 'acp' | 'mcp' | 'claude' | 'codex' | 'log';

/** A line of a journal, or of a file in its own format. */
export type Line = { readonly stream: 'a2c' | 'c2a' | 'err'; readonly line: string };

/** How an agent sends a text. */
export interface Channel {
  readonly name: string;
  readonly file: FileKind;
  /** Accepts any JSON, not only a string. */
  readonly takesData?: true;
  /** Sends the text unchanged, without any escaping. */
  readonly isRaw?: true;
  /**
   * @param json the text as a value of JSON
   * @param id unique per case
   */
  readonly lines: (json: string, text: string, id: number) => readonly Line[];
}

const session = '5e551017-0000-4000-8000-000000000001';

function a2c(line: string): Line {
  return { stream: 'a2c', line };
}

function rpc(method: string, params: string): Line {
  return a2c(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);
}

function update(fields: string): Line {
  return rpc('session/update', `{"sessionId":"${session}","update":{${fields}}}`);
}

/** Without it, chunks of one message would be joined. */
function endOfMessage(id: number): Line {
  return update(`"sessionUpdate":"tool_call_update","toolCallId":"end${id}","status":"completed"`);
}

/** A message of Claude Code, or of its user. */
function claude(type: 'assistant' | 'user', fields: string): Line {
  return a2c(`{"type":"${type}","session_id":"${session}","message":{${fields}}}`);
}

function says(id: string, block: string): Line {
  return claude('assistant', `"id":"${id}","type":"message","role":"assistant","content":[${block}]`);
}

function codex(fields: string): Line {
  return a2c(`{"type":"item.completed","item":{${fields}}}`);
}

const acp = { file: 'acp' } as const;
const done = '"status":"completed"';

export const channels: readonly Channel[] = [
  { name: 'ACP log', ...acp, lines: (json) => [rpc('log', `{"level":"info","logger":"agent","message":${json}}`)] },
  {
    ...{ name: 'ACP log data', ...acp, takesData: true },
    lines: (json) => [rpc('log', `{"level":"info","message":"request","data":${json}}`)],
  },
  {
    ...{ name: 'ACP message', ...acp },
    lines: (json, _text, id) => [
      update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${json}}`),
      endOfMessage(id),
    ],
  },
  {
    ...{ name: 'ACP tool output', ...acp },
    lines: (json, _text, id) => {
      const content = `[{"type":"content","content":{"type":"text","text":${json}}}]`;
      return [update(`"sessionUpdate":"tool_call_update","toolCallId":"c${id}",${done},"content":${content}`)];
    },
  },
  {
    ...{ name: 'ACP tool input', ...acp, takesData: true },
    lines: (json, _text, id) => {
      const about = `"toolCallId":"i${id}","title":"Run","kind":"execute","status":"pending"`;
      return [update(`"sessionUpdate":"tool_call",${about},"rawInput":{"command":${json}}`)];
    },
  },
  {
    ...{ name: 'ACP terminal', ...acp },
    lines: (json, _text, id) => [
      a2c(
        `{"jsonrpc":"2.0","id":${id},"method":"terminal/output","params":{"sessionId":"${session}","terminalId":"t"}}`,
      ),
      { stream: 'c2a', line: `{"jsonrpc":"2.0","id":${id},"result":{"output":${json},"truncated":false}}` },
    ],
  },
  {
    ...{ name: 'stderr', ...acp, isRaw: true },
    lines: (_json, text) => text.split('\n').map((line) => ({ stream: 'err', line })),
  },
  {
    ...{ name: 'MCP log', file: 'mcp', takesData: true },
    lines: (json) => [rpc('notifications/message', `{"level":"info","logger":"server","data":${json}}`)],
  },
  {
    ...{ name: 'MCP tool result', file: 'mcp' },
    lines: (json, _text, id) => {
      const call = `"method":"tools/call","params":{"name":"run","arguments":{}}`;
      return [
        { stream: 'c2a', line: `{"jsonrpc":"2.0","id":${id},${call}}` },
        a2c(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${json}}]}}`),
      ];
    },
  },
  {
    ...{ name: 'Claude message', file: 'claude' },
    lines: (json, _text, id) => [says(`m${id}`, `{"type":"text","text":${json}}`)],
  },
  {
    ...{ name: 'Claude tool result', file: 'claude' },
    lines: (json, _text, id) => {
      const result = `{"type":"tool_result","tool_use_id":"t${id}","content":${json},"is_error":false}`;
      return [
        says(`u${id}`, `{"type":"tool_use","id":"t${id}","name":"Bash","input":{"command":"run"}}`),
        claude('user', `"role":"user","content":[${result}]`),
      ];
    },
  },
  {
    ...{ name: 'Codex command', file: 'codex' },
    lines: (json, _text, id) => {
      const about = `"id":"i${id}","type":"command_execution","command":"run"`;
      return [codex(`${about},"aggregated_output":${json},"exit_code":0,${done}`)];
    },
  },
  {
    ...{ name: 'Codex message', file: 'codex' },
    lines: (json, _text, id) => [codex(`"id":"m${id}","type":"agent_message","text":${json}`)],
  },
  { name: 'log file', file: 'log', isRaw: true, lines: (_json, text) => text.split('\n').map(a2c) },
];

/** The first lines of a file, from which `tail` recognizes the format. */
const heads: Readonly<Record<FileKind, readonly string[]>> = {
  acp: [],
  mcp: [],
  claude: [
    `{"type":"system","subtype":"init","cwd":"/w","session_id":"${session}","tools":[],"mcp_servers":[],"model":"m","permissionMode":"default"}`,
  ],
  codex: [`{"type":"thread.started","thread_id":"${session}"}`],
  log: ['2026-11-20T10:00:00.000Z INFO started'],
};

/** Time of a journal's first line, in milliseconds since the epoch. */
const startedAt = Date.UTC(2026, 10, 20, 10);

/** The text of a file: a journal with one line per second, or the lines unchanged. */
export function fileOf(kind: FileKind, lines: readonly Line[]): string {
  if (kind !== 'acp' && kind !== 'mcp') return `${[...heads[kind], ...lines.map(({ line }) => line)].join('\n')}\n`;
  const about = { agent: 'Redaction', protocol: kind, command: ['agent'], cwd: '/w' };
  const header = { journal: 1, ...about, startedAt: new Date(startedAt).toISOString(), part: 1 };
  const events = lines.map(({ stream, line }, index) => {
    const ms = index * 1000;
    const start = JSON.stringify({ t: new Date(startedAt + ms).toISOString(), ms, dir: stream });
    return `${start.slice(0, -1)},${stream === 'err' ? `"line":${JSON.stringify(line)}` : `"msg":${line}`}}`;
  });
  return `${[JSON.stringify(header), ...events].join('\n')}\n`;
}
