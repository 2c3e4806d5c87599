import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { PastExported } from '../../../otlp/engine/sendPastRuns';
import { otlpTarget, shownUrl } from '../../../otlp/otlpTarget';
import type { FileRuns } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import { withDelayedProgress } from '../../kit/delayedProgress';
import { confirm, showAlert, showInformation } from '../../kit/notify';
import { translate } from '../../kit/translate';
import { prefix } from '../../manifest/names';
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
  const { collectorOf, exportWords, sendPastRuns } = await import('../../../otlp/engine/sendPastRuns');
  const names = { address: `${prefix}.otlp.endpoint`, headers: `${prefix}.otlp.headers` };
  // The headers of the settings are for the collector of the settings.
  const { endpoint, headers } = configuration.otlp;
  const target = url === undefined ? otlpTarget(endpoint, headers, process.env) : undefined;
  if (target?.type === 'invalid') throw inSettings(target.message);
  const own = target?.type === 'on' ? target : undefined;
  if (url === undefined) {
    const collector = collectorFor(() => collectorOf({ url: own?.url, names }, process.env));
    if (!(await isWanted(collector, filter))) return undefined;
  }
  const sessions = local.isShown ? await local.load() : undefined;
  const problems: string[] = [];
  const title = vscode.l10n.t('Exporting past sessions');
  const result = await withDelayedProgress(title, async (token, report) => {
    const stopping = new AbortController();
    token.onCancellationRequested(() => stopping.abort());
    return sendPastRuns({
      url: own?.url ?? url,
      names,
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
  // VS Code shows the first line of a notification without buttons.
  const why = reason ? [vscode.l10n.t('Not all was sent: {0}.', translate(reason).replace(/\.$/, ''))] : [];
  const message = [...why, translate(exportWords(result)), ...problems.slice(0, 1)];
  void (left > 0 || rejected > 0 ? showAlert : showInformation)(message.join(' '));
  return result;
}

function collectorFor(find: () => { readonly address: string }): string {
  try {
    return find().address;
  } catch (error) {
    throw error instanceof HumanError ? inSettings(error.words) : error;
  }
}

function inSettings(words: Words): HumanError {
  const error = new HumanError(words, ['settings']);
  error.setting = 'otlp.endpoint';
  return error;
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
