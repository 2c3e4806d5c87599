import { cpSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SaverId } from '../../src/agents/agents';
import { hasSqlite, writeDatabase } from './databases';
import { gooseDatabase, gooseSession } from './gooseDatabase';
import { makeSavedHome } from './savedHome';

/** A session of an agent in the folder that `makeSamples` fills. */
export interface SavedSample {
  /** Where the agent's sessions are in a home folder. */
  readonly folder: string;
  /** The end of its ID. */
  readonly id: string;
  /** A text in its records. */
  readonly text: string;
  /** What the agent's command exports, for a Node.js that can't read its database. */
  readonly exported?: string;
}

/** One session of each agent that saves some. */
export const savedSamples: Readonly<Record<SaverId, SavedSample>> = {
  claude: { folder: '.claude', id: '6d2f2f1b7a11', text: 'One, in a.js.' },
  codex: { folder: '.codex', id: '2b296e55f00b', text: 'The helper found one TODO' },
  gemini: { folder: '.gemini', id: '2020eb465710', text: 'It is a small parser for log lines.' },
  qwen: { folder: '.qwen', id: '97b1e62cc8d2', text: 'It has four lines.' },
  opencode: {
    folder: '.local/share/opencode',
    id: 'byhand02tools',
    text: 'sh run-tests.sh',
    exported: 'test/fixtures/saved/opencode-export.json',
  },
  copilot: { folder: '.copilot', id: '1f0b5f3c2b90', text: 'One test fails.' },
  pi: { folder: '.pi/agent', id: '795460f299be', text: 'It has four lines.' },
  cline: { folder: '.cline/data', id: '1795340634848_ci0q5', text: 'The tests fail with exit code 3' },
  kimi: { folder: '.kimi-code', id: 'f211e1055273', text: 'It is a small parser for log lines.' },
  droid: { folder: '.factory', id: '70686b2eeae8', text: 'The tests fail with exit code 3' },
  kilo: { folder: '.local/share/kilo', id: 'BDfvcBGMDXniBu', text: 'The tests fail with exit code 3' },
  letta: { folder: '.letta/lc-local-backend', id: 'local-conv-1', text: 'The tests fail with exit code 3' },
  continue: { folder: '.continue', id: 'dc79d2100e7c', text: 'The tests fail with exit code 3' },
  auggie: { folder: '.augment', id: '3f7a2b6d1e44', text: 'The tests fail with exit code 3' },
  vscode: { folder: '.config/Code/User', id: 'b7a8e507e8f7', text: 'The tests fail with exit code 3' },
  goose: {
    folder: '.local/share/goose',
    id: gooseSession,
    text: 'Let me look.',
    exported: 'test/fixtures/saved/goose-export.json',
  },
};

/** Where each agent's sessions are in a home folder, as the setting names it. */
export function sampleFolders(home: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(savedSamples).map(([agent, { folder }]) => [agent, join(home, folder)]));
}

/** Writes a session of each agent, as the agents do; those in databases only if this Node.js can write them. */
export function makeSamples(home: string, fixtures = 'test/fixtures/saved'): void {
  makeSavedHome(home, fixtures);
  const chats = join(home, savedSamples.vscode.folder, 'workspaceStorage/1a2b/chatSessions');
  const chat = join(chats, 'dffaeb6c-aa6d-4953-b7aa-b7a8e507e8f7.jsonl');
  mkdirSync(chats, { recursive: true });
  cpSync(join(fixtures, 'vscode-terminal.jsonl'), chat);
  const at = new Date(1_795_500_000_000);
  utimesSync(chat, at, at);
  if (!hasSqlite) return;
  const databases = {
    'opencode/opencode.db': [readFileSync(join(fixtures, 'opencode-2.sql'), 'utf8')],
    'kilo/kilo.db': [readFileSync(join(fixtures, 'kilo.sql'), 'utf8')],
    'goose/sessions/sessions.db': gooseDatabase,
  };
  for (const [name, statements] of Object.entries(databases)) {
    const path = join(home, '.local/share', name);
    mkdirSync(dirname(path), { recursive: true });
    writeDatabase(path, ...statements);
  }
}
