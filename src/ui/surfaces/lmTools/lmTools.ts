import * as vscode from 'vscode';
import type { AnswerSources, Answers } from '../../../answers/answers';
import type * as asking from '../../../answers/askingSession';
import { objectOf } from '../../../text/json';
import { lazy } from '../../../text/lazy';
import type { FileRuns } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import type { RunViews } from '../../../runs/runs';
import type { Configuration } from '../../services/configuration';
import type { LocalSessions } from '../../services/localSessions';
import type { Disposable } from '../../kit/disposables';
import { Disposables } from '../../kit/disposables';
import type { LmToolEntry } from '../../manifest/lmTools';
import { lmTools } from '../../manifest/lmTools';
import { prefix } from '../../manifest/names';
import type { McpCheckUps } from '../../services/mcp/mcpCheckUps';

export interface LmToolServices {
  readonly views: RunViews;
  readonly fileRuns: FileRuns;
  readonly local: Pick<LocalSessions, 'isShown' | 'folders' | 'load'>;
  readonly configuration: Pick<Configuration, 'ownRedaction'>;
  readonly checkUps: Pick<McpCheckUps, 'check'>;
}

/** Registers tools with which a chat agent can read what other agents logged, and check MCP servers. */
export function registerLmTools(services: LmToolServices): Disposable {
  const disposables = new Disposables();
  const load = lazy(() => loadAnswers(services));
  const entries: readonly (readonly [string, LmToolEntry])[] = Object.entries(lmTools);
  for (const [name, { answer: tool, startsServers = false }] of entries) {
    disposables.add(
      vscode.lm.registerTool<unknown>(`${prefix}_${name}`, {
        ...(startsServers && { prepareInvocation: confirmation }),
        async invoke({ input, toolInvocationToken }, token) {
          const { answers, askingChat } = await load();
          const { text } = await answers.answer(tool, objectOf(input), askingChat(toolInvocationToken), token);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    );
  }
  return disposables;
}

async function loadAnswers({ views, fileRuns, local, configuration, checkUps }: LmToolServices): Promise<{
  readonly answers: Answers;
  readonly askingChat: typeof asking.askingChat;
}> {
  const [{ Answers: Loaded }, { AnswerRuns }, { askingChat, savedOf }, { WorkFolders }, { redactorFor }] =
    await Promise.all([
      import('../../../answers/answers'),
      import('../../../answers/answerRuns'),
      import('../../../answers/askingSession'),
      import('../../../past/saved/list/workFolders'),
      import('../../../redact/redactorFor'),
    ]);
  const isHere = (folder: string): boolean =>
    new WorkFolders(local.folders, process.platform, redactorFor(configuration.ownRedaction)).has(folder);
  // Runs are what is developed here; saved sessions are of any agent.
  const choice = { isHere, isFirst: (run: RunView) => savedOf(run) === undefined };
  const sources: AnswerSources = {
    redaction: () => configuration.ownRedaction,
    checkMcpServers: async (names, token) => (await checkUps.check({ names, token })).english,
  };
  return { answers: new Loaded(new AnswerRuns(views, fileRuns, local, choice), sources), askingChat };
}

function confirmation(): vscode.PreparedToolInvocation {
  return {
    invocationMessage: vscode.l10n.t('Checking MCP servers'),
    confirmationMessages: {
      title: vscode.l10n.t('Check MCP Servers'),
      message: vscode.l10n.t('This starts the MCP servers in the settings of your agents and editors once.'),
    },
  };
}
