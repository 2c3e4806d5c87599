import { t } from '../../../../text/translator';
import * as vscode from 'vscode';
import { progressText } from '../../../../text/text';
import type { JsonObject } from '../../../../text/json';
import { objectOf, textOf } from '../../../../text/json';
import type { Tool } from '../../../../live/connection/agentClient';
import { HumanError } from '../../../../text/humanError';
import type { Run } from '../../../../live/run';
import { CommandTarget } from '../../../kit/commandTarget';
import { commandIds } from '../../../manifest/commands';
import { withDelayedProgress } from '../../../kit/delayedProgress';
import { labelText } from '../../../kit/notify';
import { pick } from '../../../kit/pick';
import { optionsOf } from '../targets';
import type { CommandContext, CommandTable } from '../commandContext';

/** How long a call may take before its progress is shown, in milliseconds. */
const longCall = 2000;

/** Calls a tool of an MCP server: most servers log only then. */
export const callToolCommands = { [commandIds.callTool]: callTool } satisfies CommandTable;

/** @param arg `{ runId, tool, arguments }`; asks for what is missing. Shows the answer to a user, and returns it to other callers. */
async function callTool(services: CommandContext, arg: unknown): Promise<JsonObject | undefined> {
  const run = await services.targets.run(
    arg,
    vscode.l10n.t('Select a server'),
    'callTool',
    vscode.l10n.t('No MCP server is running. Start one first.'),
  );
  if (!run) return undefined;
  const options = optionsOf(arg);
  const name = textOf(options['tool']);
  const tool = name === undefined ? await pickTool(run) : { name };
  if (!tool) return undefined;
  const { areArguments, askArguments } = await import('../../../services/agents/toolArguments');
  const args = options['arguments'] ?? ('inputSchema' in tool ? await askArguments(tool) : {});
  if (args === undefined) return undefined;
  if (!areArguments(args)) throw new HumanError(t('`arguments` must be an object.'));
  const before = run.log.lastSeq;
  try {
    return await call(run, tool.name, args);
  } finally {
    if (arg === undefined || arg instanceof CommandTarget) await showAnswer(services, run, before);
  }
}

/** Opens the explorer at the answer of the first call after a record. */
async function showAnswer(services: CommandContext, run: Run, before: number): Promise<void> {
  const answered = run.log.spans({ kinds: ['tool'] }).find(({ firstSeq }) => firstSeq > before);
  if (answered?.endedAt === undefined || answered.outcome === 'cancelled') return;
  await (await services.explorer.load()).open({ run, seq: answered.lastSeq, tab: 'log' });
}

async function pickTool(run: Run): Promise<Tool | undefined> {
  const tools = await withDelayedProgress(vscode.l10n.t('Listing the tools of {0}', run.name), (token) =>
    run.listTools(token),
  );
  if (tools.length === 0) throw new HumanError(t('{0} has no tools.', run.name));
  const choices = tools.map((tool) => ({
    label: labelText(tool.name),
    description: labelText(tool.title ?? textOf(objectOf(tool.inputSchema)['title']) ?? ''),
    detail: labelText(tool.description ?? '', 200),
    value: tool,
  }));
  return pick(choices, { title: vscode.l10n.t('Select a tool of {0} to call', run.name) });
}

function call(run: Run, name: string, args: JsonObject): Promise<JsonObject> {
  return withDelayedProgress(
    vscode.l10n.t('{0} is running {1}', run.name, labelText(name)),
    (token, report) =>
      run.callTool(name, args, { token, onProgress: (progress) => report(labelText(progressText(progress))) }),
    longCall,
  );
}
