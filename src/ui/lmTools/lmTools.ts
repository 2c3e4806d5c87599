import * as vscode from 'vscode';
import type { JsonObject } from '../../protocols/json';
import { objectOf } from '../../protocols/json';
import type { RunView } from '../../runs/runView';
import type { Configuration } from '../configuration';
import type { Disposable } from '../disposables';
import { Disposables } from '../disposables';
import { lmToolNames } from '../ids';
import type { ToolRuns } from './toolRuns';
import { boundedText } from './toolText';

/** What VS Code has of its language model tools since 1.95, as far as it is used here; 1.93 has nothing of it. */
interface ToolHost {
  readonly lm: {
    registerTool(
      name: string,
      tool: { invoke(options: { readonly input: unknown }, token: vscode.CancellationToken): Promise<unknown> },
    ): Disposable;
  };
  readonly LanguageModelToolResult: new (parts: readonly unknown[]) => unknown;
  readonly LanguageModelTextPart: new (text: string) => unknown;
}

/** Lets a chat agent read what other agents logged: three tools that read, and change nothing. Without effect where VS Code has no tools. */
export function registerLmTools(runs: ToolRuns, configuration: Pick<Configuration, 'redactionPatterns'>): Disposable {
  const disposables = new Disposables();
  const host: unknown = vscode;
  if (!hasTools(host)) return disposables;
  const register = (
    name: string,
    answer: (input: JsonObject, token: vscode.CancellationToken) => Promise<string>,
  ): void => {
    const invoke = async (
      { input }: { readonly input: unknown },
      token: vscode.CancellationToken,
    ): Promise<unknown> => {
      const { safeText } = await import('./safeRecords');
      const text = boundedText(safeText(await answer(objectOf(input), token), configuration.redactionPatterns));
      return new host.LanguageModelToolResult([new host.LanguageModelTextPart(text)]);
    };
    disposables.add(host.lm.registerTool(name, { invoke }));
  };
  const ofRun =
    (describe: (run: RunView, input: JsonObject) => Promise<string>) =>
    async (input: JsonObject, token: vscode.CancellationToken): Promise<string> => {
      const run = await runs.find(input['run'], token);
      return typeof run === 'string' ? run : describe(run, input);
    };
  try {
    register(lmToolNames.listRuns, async () => (await import('./listRuns')).listRuns(await runs.all()));
    register(
      lmToolNames.searchRecords,
      ofRun(async (run, input) =>
        (await import('./searchRecords')).searchRecords(run, input, configuration.redactionPatterns),
      ),
    );
    register(
      lmToolNames.explainTermination,
      ofRun(async (run) =>
        (await import('./explainTermination')).explainTermination(run, configuration.redactionPatterns),
      ),
    );
  } catch {
    // Before 1.95 it was a proposal, which throws when it is used.
  }
  return disposables;
}

function hasTools(host: unknown): host is ToolHost {
  const { lm, LanguageModelToolResult } = host as Partial<ToolHost>;
  return typeof lm?.registerTool === 'function' && typeof LanguageModelToolResult === 'function';
}

/** Whether a folder belongs to this workspace. */
export function isInWorkspace(folder: string): boolean {
  return folder !== '' && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
}
