import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SavedSessionsOptions } from '../../src/past/saved/list/savedSessions';

const kimi = '.kimi-code/sessions/wd_project_291264d9e4b8/session_85ff7f61-1a60-4b3a-8eb5-f211e1055273';

/** Where agents save their sessions, by fixture. IDs are made up. */
const places: Readonly<Record<string, string>> = {
  'claude-terminal.jsonl': '.claude/projects/-home-me-project/0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11.jsonl',
  'claude-subagent.jsonl':
    '.claude/projects/-home-me-project/0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11/subagents/agent-a5846a52bc74da133.jsonl',
  'claude-failed.jsonl': '.claude/projects/-home-me-other/0c5f0f0e-0000-4000-8000-000000000002.jsonl',
  'codex-tools.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-35-01a20285-8ad1-7621-822c-2b296e55f00b.jsonl',
  'codex-subagent.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T10-00-55-01a202b3-9ed6-7301-94cc-757ed6fbe696.jsonl',
  'codex-401.jsonl': '.codex/archived_sessions/rollout-2026-11-22T09-10-38-01a20285-9548-7473-a9f4-ba9391a0f1b8.jsonl',
  'gemini-terminal.jsonl': '.gemini/tmp/project/chats/session-2026-11-22T09-25-6b72572c.jsonl',
  'qwen-terminal.jsonl': '.qwen/projects/-home-dev-project/chats/bcf1ca69-97af-4452-a485-97b1e62cc8d2.jsonl',
  'copilot-terminal.jsonl': '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90/events.jsonl',
  'pi-terminal.jsonl':
    '.pi/agent/sessions/--home-dev-project--/2026-11-22T09-42-35-675Z_01a202a2-d59a-7042-9385-795460f299be.jsonl',
  'kimi-terminal.jsonl': `${kimi}/agents/main/wire.jsonl`,
  'droid-tools.jsonl': '.factory/sessions/-home-dev-project/f4f7c8fd-3c7d-4228-b393-70686b2eeae8.jsonl',
  'letta-tools.jsonl': '.letta/lc-local-backend/conversations/Y29udmVyc2F0aW9uOmxvY2FsLWNvbnYtMQ/messages.jsonl',
  'continue-tools.json': '.continue/sessions/b0546d5b-c7bd-407b-a415-dc79d2100e7c.json',
  'auggie-tools.json': '.augment/sessions/5d0f6c1e-0d0b-4c55-9c0e-3f7a2b6d1e44.json',
  'cline-tools.messages.json': '.cline/data/sessions/1795340634848_ci0q5/1795340634848_ci0q5.messages.json',
};

/** Writes the fixtures like agents do, one minute apart, the oldest first. */
export function makeSavedHome(home: string, fixtures = 'test/fixtures/saved'): void {
  for (const [index, [name, place]] of Object.entries(places).entries()) {
    const path = join(home, place);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(fixtures, name), path);
    const at = new Date(1_795_400_000_000 + index * 60_000);
    utimesSync(path, at, at);
  }
  writeFileSync(join(home, '.gemini/tmp/project/.project_root'), '/home/dev/project');
  const cline = { session_id: '1795340634848_ci0q5', pid: 81, status: 'running', cwd: '/home/dev/project', model: 'm' };
  const about = { ...cline, metadata: { title: 'List the files' } };
  writeFileSync(join(home, '.cline/data/sessions/1795340634848_ci0q5/1795340634848_ci0q5.json'), JSON.stringify(about));
  const state = { id: kimi.split('/').at(-1), cwd: '/home/dev/project', createdAt: 1_795_419_004_068 };
  writeFileSync(join(home, kimi, 'state.json'), JSON.stringify({ ...state, lastTurnReason: 'completed' }));
  const tokenUsage = { inputTokens: 3150, outputTokens: 180, cacheCreationTokens: 0, cacheReadTokens: 900 };
  const settings = (places['droid-tools.jsonl'] ?? '').replace(/\.jsonl$/, '.settings.json');
  writeFileSync(join(home, settings), JSON.stringify({ model: 'custom:Mock-0', tokenUsage }, undefined, 2));
  const yaml = 'id: 7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90\ncwd: /home/me/project\nname: "Tests: run them"\n';
  writeFileSync(join(home, '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90/workspace.yaml'), yaml);
}

/** For programs that look for sessions there, without the variables of agents that run these tests. */
export function savedHomeEnv(home: string): NodeJS.ProcessEnv {
  const moved = [
    ...['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_DATA_HOME', 'COPILOT_HOME', 'QWEN_HOME', 'GEMINI_CLI_HOME', 'APPDATA'],
    ...['KIMI_CODE_HOME', 'VSCODE_PORTABLE', 'VSCODE_AGENT_FOLDER', 'VSCODE_APPDATA', 'XDG_CONFIG_HOME', 'KILO_DB'],
    ...['GOOSE_PATH_ROOT', 'FACTORY_HOME_OVERRIDE', 'CONTINUE_GLOBAL_DIR', 'LETTA_LOCAL_BACKEND_DIR'],
  ];
  return { HOME: home, USERPROFILE: home, ...Object.fromEntries(moved.map((name) => [name, undefined])) };
}

export function savedHomeOptions(home: string): SavedSessionsOptions {
  return {
    machine: { platform: process.platform, home, env: {} },
    redactor: undefined,
    isAlive: () => Promise.resolve(false),
    now: () => 1_796_000_000_000,
  };
}
