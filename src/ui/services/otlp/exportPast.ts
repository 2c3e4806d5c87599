import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { PastExported } from '../../../otlp/engine/sendPastRuns';
import { otlpTarget, shownUrl } from '../../../otlp/otlpTarget';
import type { FileRuns } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import { t } from '../../../text/translator';
import { withDelayedProgress } from '../../kit/delayedProgress';
import { confirm, showAlert, showInformation } from '../../kit/notify';
import { translate } from '../../kit/translate';
import type { Configuration } from '../configuration';
import type { LocalSessions } from '../localSessions';

interface Sources {
  readonly configuration: Pick<Configuration, 'otlp' | 'ownRedaction'>;
  readonly local: Pick<LocalSessions, 'isShown' | 'filter' | 'load'>;
  readonly fileRuns: Pick<FileRuns, 'journals'>;
}

/** What a caller may ask for; the settings and the filter of the view by default. */
export interface WantedExport {
  readonly filter: string | undefined;
  readonly url: string | undefined;
}

/**
 * Sends saved sessions and past runs to a collector. Without an address, asks first: records contain what people wrote.
 * @returns `undefined` if the user declined
 * @throws HumanError in untrusted workspaces, or if the address is invalid
 */
export async function exportPast(
  { configuration, local, fileRuns }: Sources,
  { filter = local.filter?.text ?? '', url }: WantedExport,
): Promise<PastExported | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(t('Sessions are exported only in trusted workspaces.'), ['trust']);
  }
  // The headers of the settings are for the collector of the settings.
  const { endpoint, headers } = configuration.otlp;
  const target = url === undefined ? otlpTarget(endpoint, headers, process.env) : undefined;
  if (target?.type === 'invalid') throw new HumanError(target.message, ['settings']);
  const own = target?.type === 'on' ? target : undefined;
  if (own && !(await isWanted(own.url, filter))) return undefined;
  const sessions = local.isShown ? await local.load() : undefined;
  const { exportWords, sendPastRuns } = await import('../../../otlp/engine/sendPastRuns');
  const problems: string[] = [];
  const title = vscode.l10n.t('Exporting past sessions');
  const result = await withDelayedProgress(title, async (token, report) => {
    const stopping = new AbortController();
    token.onCancellationRequested(() => stopping.abort());
    return sendPastRuns({
      url: own?.url ?? url,
      names: { address: 'agentLogs.otlp.endpoint', headers: 'agentLogs.otlp.headers' },
      headers: own?.headers ?? {},
      filter,
      again: false,
      sources: {
        sessions,
        journals: async () => [(await fileRuns.journals()).map(({ set }) => set)],
        redaction: configuration.ownRedaction,
      },
      machine: { platform: process.platform, home: homedir(), env: process.env },
      signal: stopping.signal,
      onProblem: (problem) => problems.push(translate(problem)),
      onWait: (reason) => report(translate(reason)),
      onProgress: (done, total) => report(`${done} / ${total}`),
    });
  });
  const { left, rejected, reason } = result;
  const message = [translate(exportWords(result)), ...(reason ? [translate(reason)] : []), ...problems.slice(0, 1)];
  void (left > 0 || rejected > 0 ? showAlert : showInformation)(message.join(' '));
  return result;
}

function isWanted(url: string, filter: string): Promise<boolean> {
  const to = shownUrl(url);
  return confirm(
    filter === ''
      ? vscode.l10n.t('Send all past sessions to {0}?', to)
      : vscode.l10n.t('Send the past sessions that fit `{0}` to {1}?', filter, to),
    vscode.l10n.t(
      'Their records contain prompts, answers, and what tools got and gave. Secrets are removed. What was sent before is not sent again.',
    ),
    vscode.l10n.t('Send'),
  );
}
