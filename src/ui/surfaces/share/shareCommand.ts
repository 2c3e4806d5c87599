import * as vscode from 'vscode';
import { t } from '../../../text/translator';
import { exportFile, write } from '../../../export/exportFile';
import { HumanError } from '../../../text/humanError';
import type { RunView } from '../../../runLog/runView';
import type { SharedPart } from '../../../share/collectRun';
import { collectRun } from '../../../share/collectRun';
import type { ShareChoice } from '../../../share/review/choice';
import { choiceOf, including } from '../../../share/review/choice';
import { findIn } from '../../../share/review/findings';
import { machineNames } from '../../../share/review/machineNames';
import { Pauses } from '../../../share/review/pauses';
import { reviewed } from '../../../share/review/reviewed';
import type { SharedPage } from '../../../share/sharedPage';
import { readSharedPage } from '../../../share/sharedPage';
import type { SharedContent, SharedRun } from '../../../share/sharedRun';
import { sharedContents } from '../../../share/sharedRun';
import { writeShared } from '../../../share/writeShared';
import { Cancelled } from '../../../time/waiting';
import { CommandTarget } from '../../kit/commandTarget';
import type { CommandContext, CommandTable } from '../commands/commandContext';
import { optional, optionsOf } from '../commands/targets';
import { readWithProgress, withDelayedProgress } from '../../kit/delayedProgress';
import { askFile } from '../../services/exportDialogs';
import { commandIds } from '../../manifest/commands';
import { reviewViewType } from '../../manifest/names';
import { showInformation } from '../../kit/notify';
import { ReviewPanel } from './reviewPanel';
import { revealFile } from '../../kit/openFile';

export const shareCommands = { [commandIds.share]: share } satisfies CommandTable;

/**
 * Writes a run, a session or some records as one HTML file, after a review of what is in it.
 * @param arg a row of the tree, or `{ runId, sessionId?, seqs?, uri?, include? }`; without it, the run in the explorer, or one that the user
 *   picks. With `uri` and `include`, there is no review. Returns the file, if it was written.
 */
async function share(services: CommandContext, arg: unknown): Promise<vscode.Uri | undefined> {
  const named = arg instanceof CommandTarget || optionsOf(arg)['runId'] !== undefined;
  const target = named ? arg : (shownTarget(services) ?? arg);
  const found = await services.targets.view(target, vscode.l10n.t('Select a run to share'), 'share');
  if (!found) return undefined;
  const options = optionsOf(target);
  const { uri } = options;
  const include = contentsOf(options['include']);
  const part = partOf(target);
  const run = await readWithProgress(found, services.fileRuns);
  const page = pageOf(services);
  const file = uri instanceof vscode.Uri ? uri : undefined;
  return file && include
    ? writeWithoutReview(run, part, including(include), file, page)
    : review(services, run, part, { choice: include ? including(include) : choiceOf('full'), file, page });
}

function shownTarget({ explorer }: CommandContext): { readonly runId: string } | undefined {
  const run = explorer.shownRun;
  return run && { runId: run.id };
}

function partOf(arg: unknown): SharedPart {
  const options = optionsOf(arg);
  const sessionId = arg instanceof CommandTarget ? arg.sessionId : optional(options, 'sessionId', 'string');
  const { seqs } = options;
  if (Array.isArray(seqs)) {
    return { type: 'selection', seqs: new Set(seqs.filter((seq): seq is number => typeof seq === 'number')) };
  }
  return sessionId === undefined ? { type: 'run' } : { type: 'session', sessionId };
}

function contentsOf(include: unknown): readonly SharedContent[] | undefined {
  if (include === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(include) ? include : [include];
  return names.map((name) => {
    const content = sharedContents.find((known) => known === name);
    if (content) return content;
    throw new HumanError(t('`include` must be a list of these: {0}.', sharedContents.join(', ')));
  });
}

function pageOf({ extensionUri }: CommandContext): SharedPage {
  return readSharedPage(
    vscode.Uri.joinPath(extensionUri, 'dist').fsPath,
    vscode.env.language,
    vscode.l10n.bundle ?? {},
  );
}

async function writeWithoutReview(
  run: RunView,
  part: SharedPart,
  choice: ShareChoice,
  uri: vscode.Uri,
  page: SharedPage,
): Promise<vscode.Uri> {
  await withDelayedProgress(vscode.l10n.t('Sharing {0}', run.name), async (token) => {
    const pauses = new Pauses(token);
    const shared = await collectRun(run, { part, now: Date.now(), token });
    const { names } = await findIn(shared, machineNames(), pauses);
    await writeFile(run, await reviewed(shared, choice, names, pauses), uri, page, token);
  });
  return uri;
}

interface Asked {
  readonly choice: ShareChoice;
  readonly file: vscode.Uri | undefined;
  readonly page: SharedPage;
}

function review(
  services: CommandContext,
  run: RunView,
  part: SharedPart,
  { choice, file, page }: Asked,
): Promise<vscode.Uri | undefined> {
  // The user comes back to it from the places that it opens.
  const panel = vscode.window.createWebviewPanel(reviewViewType, run.name, vscode.ViewColumn.Active, {
    retainContextWhenHidden: true,
  });
  const { done } = new ReviewPanel(panel, {
    run,
    part,
    choice,
    folder: vscode.Uri.joinPath(services.extensionUri, 'dist', 'explorer'),
    open: async ({ tab, seq }) => (await services.explorer.load()).open({ run, tab, seq }),
    measure: (shared, token) => sizeOf(shared, page, token),
    save: async (shared) => {
      const uri =
        file ??
        (await askFile(shared, '.html', { title: vscode.l10n.t('Share {0}', run.name), save: vscode.l10n.t('Save') }));
      if (!uri) return undefined;
      await withDelayedProgress(vscode.l10n.t('Sharing {0}', run.name), (token) =>
        writeFile(run, shared, uri, page, token),
      );
      void offerToOpen(uri);
      return uri;
    },
    report: (error) => void services.errors.report(error, run),
  });
  return done;
}

async function sizeOf(shared: SharedRun, page: SharedPage, token: vscode.CancellationToken): Promise<number> {
  let size = 0;
  for await (const piece of writeShared(shared, page)) {
    if (token.isCancellationRequested) throw new Cancelled();
    size += Buffer.byteLength(piece);
  }
  return size;
}

async function writeFile(
  run: RunView,
  shared: SharedRun,
  uri: vscode.Uri,
  page: SharedPage,
  token: vscode.CancellationToken,
): Promise<void> {
  if (uri.scheme !== 'file') {
    throw new HumanError(t('Runs can be shared only as files on the machine where the extension runs.'));
  }
  await exportFile(uri.fsPath, run.journal?.paths ?? [], token, async (out, signal) => {
    for await (const piece of writeShared(shared, page)) {
      if (signal.aborted) return;
      await write(out, piece);
    }
  });
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const [open, reveal] = [vscode.l10n.t('Open'), vscode.l10n.t('Reveal')];
  const picked = await showInformation(
    vscode.l10n.t('Saved {0}. Anyone who has the file can read what is in it.', vscode.workspace.asRelativePath(uri)),
    open,
    reveal,
  );
  if (picked === open) await vscode.env.openExternal(uri);
  if (picked === reveal) await revealFile(uri);
}
