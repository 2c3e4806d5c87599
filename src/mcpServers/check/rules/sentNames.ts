import type { Severity } from './finding';

/** How an agent names tools for its model. */
export interface SentNames {
  /** The agent's ID. */
  readonly client: string;
  readonly label: string;
  /** The form of the name, for the documents. */
  readonly form: string;
  readonly source: string;
  readonly name: (server: string, tool: string) => string;
  readonly long?: LongNames;
  /** Whether it tells tools apart that would have the same name. */
  readonly isUnique: boolean;
  /** From how many tools on it leaves some out, or groups them. */
  readonly maxTools?: number;
}

/** What an agent does with long names. */
export interface LongNames {
  readonly max: number;
  readonly effect: 'dropped' | 'cut' | 'hashed';
  /** The name that is sent instead, if it is known. */
  readonly cut?: (name: string) => string;
}

const plain = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_');
const cutTo = (max: number) => (name: string) => name.slice(0, max);

export const severityOfEffect: Readonly<Record<LongNames['effect'], Severity>> = {
  dropped: 'error',
  cut: 'warning',
  hashed: 'info',
};

export const sentNames: readonly SentNames[] = [
  {
    client: 'claude',
    label: 'Claude Code',
    form: '`mcp__SERVER__TOOL`, other characters become `_`; dropped above 128',
    source: '2.1.330 was seen doing it (93 kept, 133 dropped)',
    name: (server, tool) => `mcp__${plain(server)}__${plain(tool)}`,
    long: { max: 128, effect: 'dropped' },
    isUnique: false,
  },
  {
    client: 'codex',
    label: 'Codex',
    form: '`mcp__SERVER__TOOL`, `-` becomes `_`, a hash on collision',
    source: '0.169 was seen doing it',
    name: (server, tool) => `mcp__${plain(server)}__${plain(tool)}`.replaceAll('-', '_'),
    isUnique: true,
  },
  {
    client: 'gemini',
    label: 'Gemini CLI',
    form: '`mcp_SERVER_TOOL`, cut to 63 with `...` in the middle',
    source: '0.61 was seen doing it',
    name: (server, tool) => `mcp_${server}_${tool}`.replace(/[^a-zA-Z0-9_.-]/g, '_'),
    long: { max: 63, effect: 'cut', cut: (name) => `${name.slice(0, 28)}...${name.slice(-32)}` },
    isUnique: false,
  },
  {
    client: 'copilot',
    label: 'Copilot CLI',
    form: '`SERVER-TOOL`, cut to 64',
    source: '1.0.102 was seen doing it',
    name: (server, tool) => `${plain(server)}-${plain(tool)}`,
    long: { max: 64, effect: 'cut', cut: cutTo(64) },
    isUnique: false,
  },
  {
    client: 'qwen',
    label: 'Qwen Code',
    form: '`mcp__SERVER__TOOL`, cut to 64 with a hash',
    source: '0.24.4 was seen doing it',
    name: (server, tool) => `mcp__${plain(server)}__${plain(tool)}`,
    long: { max: 64, effect: 'hashed' },
    isUnique: false,
  },
  {
    client: 'kimi',
    label: 'Kimi',
    form: '`mcp__SERVER__TOOL`, cut to 64 with a hash',
    source: '2.1.0 was seen doing it',
    name: (server, tool) => `mcp__${plain(server)}__${plain(tool)}`,
    long: { max: 64, effect: 'hashed' },
    isUnique: false,
  },
  {
    client: 'opencode',
    label: 'OpenCode',
    form: '`SERVER_TOOL`, as long as it is',
    source: '1.18.33 was seen doing it (87 kept)',
    name: (server, tool) => `${plain(server)}_${plain(tool)}`,
    isUnique: false,
  },
  {
    client: 'vscode',
    label: 'VS Code',
    form: '`mcp_SERVER_TOOL`, with at most 18 characters up to the tool; 128 tools per request, more are grouped',
    source: '1.139, `github.copilot.chat.virtualTools.threshold`',
    name: (server, tool) => {
      const prefix = `mcp_${server.toLowerCase().replace(/[^a-z0-9_.-]+/g, '_')}`.slice(0, 17);
      return plain(`${prefix}_${tool}`);
    },
    long: { max: 64, effect: 'cut', cut: cutTo(64) },
    // Servers whose names begin alike get a number.
    isUnique: true,
    maxTools: 128,
  },
  {
    client: 'cursor',
    label: 'Cursor',
    form: 'server and tool have at most 60 characters together; about 40 tools in all',
    source: 'notes of users',
    name: (server, tool) => `${server}${tool}`,
    long: { max: 60, effect: 'dropped' },
    isUnique: true,
    maxTools: 40,
  },
];
