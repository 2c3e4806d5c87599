import * as vscode from 'vscode';
import { t } from '../../../text/translator';
import { exportFile, write } from '../../../export/exportFile';
import { HumanError } from '../../../text/humanError';
import type { RunView } from '../../../runLog/runView';
import type { SharedPart } from '../../../share/collectRun';
import { collectRun } from '../../../share/collectRun';
import { markdownOf } from '../../../share/markdown/writeMarkdown';
import type { ShareFormat } from '../../../share/shareFormat';
import { shareFormats } from '../../../share/shareFormat';
import type { ShareChoice } from '../../../share/review/choice';
import { choiceOf, including } from '../../../share/review/choice';
import { findIn } from '../../../share/review/findings';
import { machineNames } from '../../../share/review/machineNames';
import { Pauses } from '../../../share/review/pauses';
import { reviewed } from '../../../share/review/reviewed';
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
import { openFile, revealFile } from '../../kit/openFile';

export const shareCommands = { [commandIds.share]: share } satisfies CommandTable;

/**
 * Writes a run, a session or some records as one HTML file or as Markdown, after a review of what is in it.
 * @param arg a row of the tree, or `{ runId, sessionId?, seqs?, uri?, include?, format? }`; without it, the run in the explorer, or one that the user
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
  const format = formatOf(options['format']);
  const pieces = piecesFor(services);
  const file = uri instanceof vscode.Uri ? uri : undefined;
  return file && include
    ? writeWithoutReview(run, part, including(include), file, { format, pieces })
    : review(services, run, part, { choice: include ? including(include) : choiceOf('full'), file, format, pieces });
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

function formatOf(format: unknown): ShareFormat {
  const found = shareFormats.find((known) => known === (format ?? 'html'));
  if (found) return found;
  throw new HumanError(t('`format` must be one of these: {0}.', shareFormats.join(', ')));
}

/** What is written of a run, piece by piece. */
type Pieces = (run: SharedRun, format: ShareFormat) => AsyncIterable<string> | Iterable<string>;

function piecesFor({ extensionUri }: CommandContext): Pieces {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist').fsPath;
  const page = readSharedPage(folder, vscode.env.language, vscode.l10n.bundle ?? {});
  return (run, format) => (format === 'html' ? writeShared(run, page) : [markdownOf(run)]);
}

async function writeWithoutReview(
  run: RunView,
  part: SharedPart,
  choice: ShareChoice,
  uri: vscode.Uri,
  { format, pieces }: { readonly format: ShareFormat; readonly pieces: Pieces },
): Promise<vscode.Uri> {
  await withDelayedProgress(vscode.l10n.t('Sharing {0}', run.name), async (token) => {
    const pauses = new Pauses(token);
    const shared = await collectRun(run, { part, now: Date.now(), token });
    const { names } = await findIn(shared, machineNames(), pauses);
    await writeFile(run, pieces(await reviewed(shared, choice, names, pauses), format), uri, token);
  });
  return uri;
}

interface Asked {
  readonly choice: ShareChoice;
  readonly file: vscode.Uri | undefined;
  readonly format: ShareFormat;
  readonly pieces: Pieces;
}

function review(
  services: CommandContext,
  run: RunView,
  part: SharedPart,
  { choice, file, format: first, pieces }: Asked,
): Promise<vscode.Uri | undefined> {
  // The user comes back to it from the places that it opens.
  const panel = vscode.window.createWebviewPanel(reviewViewType, run.name, vscode.ViewColumn.Active, {
    retainContextWhenHidden: true,
  });
  const { done } = new ReviewPanel(panel, {
    run,
    part,
    choice,
    format: first,
    folder: vscode.Uri.joinPath(services.extensionUri, 'dist', 'explorer'),
    open: async ({ tab, seq }) => (await services.explorer.load()).open({ run, tab, seq }),
    measure: (shared, format, token) => sizeOf(pieces(shared, format), token),
    save: async (shared, format) => {
      const uri =
        file ??
        (await askFile(shared, endings[format], {
          title: vscode.l10n.t('Share {0}', run.name),
          save: vscode.l10n.t('Save'),
        }));
      if (!uri) return undefined;
      await withDelayedProgress(vscode.l10n.t('Sharing {0}', run.name), (token) =>
        writeFile(run, pieces(shared, format), uri, token),
      );
      void offerToOpen(uri, format);
      return uri;
    },
    report: (error) => void services.errors.report(error, run),
  });
  return done;
}

const endings: Readonly<Record<ShareFormat, string>> = { html: '.html', markdown: '.md' };

async function sizeOf(pieces: ReturnType<Pieces>, token: vscode.CancellationToken): Promise<number> {
  let size = 0;
  for await (const piece of pieces) {
    if (token.isCancellationRequested) throw new Cancelled();
    size += Buffer.byteLength(piece);
  }
  return size;
}

async function writeFile(
  run: RunView,
  pieces: ReturnType<Pieces>,
  uri: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<void> {
  if (uri.scheme !== 'file') {
    throw new HumanError(t('Runs can be shared only as files on the machine where the extension runs.'));
  }
  await exportFile(uri.fsPath, run.journal?.paths ?? [], token, async (out, signal) => {
    for await (const piece of pieces) {
      if (signal.aborted) return;
      await write(out, piece);
    }
  });
}

async function offerToOpen(uri: vscode.Uri, format: ShareFormat): Promise<void> {
  const [open, reveal] = [vscode.l10n.t('Open'), vscode.l10n.t('Reveal')];
  const picked = await showInformation(
    vscode.l10n.t('Saved {0}. Anyone who has the file can read what is in it.', vscode.workspace.asRelativePath(uri)),
    open,
    reveal,
  );
  if (picked === open) await (format === 'html' ? vscode.env.openExternal(uri) : openFile(uri));
  if (picked === reveal) await revealFile(uri);
}
