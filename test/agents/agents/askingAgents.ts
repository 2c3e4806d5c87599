import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failedSession } from '../mockScenes';
import type { RealAgent } from '../realAgent';
import type { Sandbox } from '../sandbox';
import { commandLine } from '../tapProgram';
import type { Trial } from '../trial';
import { claudeMock } from './claudeMock';
import { claudePrint } from './claudePrint';
import { configureCodex } from './codex';
import { codexExec } from './codexExec';
import { opencodeSettings } from './opencode';
import { opencodeRun } from './opencodeRun';

const prompt = 'Why did it fail? [[problems]]';

/** Agents that ask `agent-logs mcp` why another agent's session failed, and quote its cause. */
export const askingAgents: readonly RealAgent[] = [
  {
    ...claudePrint,
    name: 'claude-asks',
    installedWith: claudePrint.name,
    args: ['-p', prompt, '--output-format', 'stream-json', '--verbose', '--allowedTools', 'mcp__agent-logs'],
    ...(claudeMock.modelEnv && { modelEnv: claudeMock.modelEnv }),
    env: { ...claudePrint.env, ENABLE_TOOL_SEARCH: 'false' },
    configure: (sandbox) => {
      const [command = '', ...args] = serverIn(sandbox);
      const settings = { mcpServers: { 'agent-logs': { type: 'stdio', command, args } } };
      sandbox.write('.claude.json', JSON.stringify(settings));
    },
    scenarios: [{ name: 'problems', play: (trial) => play(trial, 'Claude Code') }],
  },
  {
    ...codexExec,
    name: 'codex-asks',
    installedWith: codexExec.name,
    args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    configure: (sandbox, model) => {
      configureCodex(sandbox, model);
      const [command, ...args] = serverIn(sandbox);
      const server = [
        '[mcp_servers.agent-logs]',
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
      ];
      const path = join(sandbox.home, '.codex/config.toml');
      sandbox.write(
        '.codex/config.toml',
        `${readFileSync(path, 'utf8')}\n${server.join('\n')}\nstartup_timeout_sec = 60\nrequired = true\n`,
      );
    },
    scenarios: [{ name: 'problems', play: (trial) => play(trial, 'Codex') }],
  },
  {
    ...opencodeRun,
    name: 'opencode-asks',
    args: ['run', '--format', 'json', prompt],
    configure: (sandbox, model) => {
      const settings = JSON.parse(opencodeSettings(model, 'allow')) as object;
      const mcp = { 'agent-logs': { type: 'local', command: serverIn(sandbox), enabled: true, timeout: 60_000 } };
      sandbox.write('.config/opencode/opencode.json', JSON.stringify({ ...settings, mcp }));
    },
    scenarios: [{ name: 'problems', play: (trial) => play(trial, 'OpenCode') }],
  },
];

/** The command of the server, in a home folder with a session that failed. */
function serverIn(sandbox: Sandbox): readonly string[] {
  const session = readFileSync('test/fixtures/saved/claude-failed.jsonl', 'utf8');
  sandbox.write(`.claude/projects/-home-me-other/${failedSession}.jsonl`, session);
  const program = join(sandbox.home, 'agent-logs.cjs');
  buildSync(commandLine(program));
  return [process.execPath, program, 'mcp'];
}

/** @param own the agent, whose only session is the one that asks */
async function play(trial: Trial, own: string): Promise<void> {
  const { checks } = trial;
  await trial.start();
  trial.checks.equal('the exit code', (await trial.ended(120)).exitCode, 0);
  const { sessionId } = trial;
  const records = trial.recordsOf(sessionId);
  checks.inOrder('the answer', records, [
    { logger: 'tool', message: /list_runs/ },
    { logger: 'tool', message: /problems/ },
    { logger: 'agent', message: /^The log says: Log in: the agent says to run `\/login`/ },
  ]);
  const lists = records.filter(({ message }) => /list_runs/.test(message)).map((record) => JSON.stringify(record));
  checks.that(
    'the failed session is listed',
    lists.some((text) => text.includes('saved by Claude Code')),
  );
  const shown = lists
    .join('')
    .split('saved by ')
    .slice(1)
    .map((text) => text.slice(0, own.length));
  checks.equal(
    'sessions of the agent itself',
    shown.filter((name) => name === own).length,
    own === 'Claude Code' ? 1 : 0,
  );
}
