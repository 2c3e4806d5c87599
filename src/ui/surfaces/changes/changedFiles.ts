import * as vscode from 'vscode';
import { shortId } from '../../../text/sessionLabel';
import { shownText } from '../../../text/text';
import type { RunView } from '../../../runLog/runView';
import type { FileChanges } from '../../../timeline/changes';
import { changesIn, isSameFile, joinedTexts, spansWithin } from '../../../timeline/changes';
import { workKinds } from '../../../timeline/span';
import type { RunViews } from '../../../runs/runs';
import type { SubjectKey } from '../compare/subject';
import { changesAuthority, scheme } from '../records/recordDocuments';

/** Names one side of a changed file in the URI of a document. */
interface ChangeKey extends SubjectKey {
  readonly file: string;
  readonly side: 'before' | 'after';
}

/** The files that a turn, a session or a run changed, in order of their first change. */
export function changedFiles(
  { log }: RunView,
  { session, turn }: Pick<SubjectKey, 'session' | 'turn'>,
): readonly FileChanges[] {
  const isWanted = (span: { readonly id: string; readonly sessionId?: string }): boolean => {
    if (turn !== undefined) return span.id === turn;
    return session === undefined || (span.sessionId !== undefined && shortId(span.sessionId) === session);
  };
  return changesIn(spansWithin(log.spans({ kinds: workKinds }), isWanted))?.files ?? [];
}

export function fileNamed(files: readonly FileChanges[], path: string): FileChanges | undefined {
  return files.find((file) => file.path === path) ?? files.find((file) => isSameFile(file.path, path));
}

/** The documents of a file before and after its changes. */
export function urisOf(key: SubjectKey, { path, from = path }: FileChanges): readonly [vscode.Uri, vscode.Uri] {
  const uriOf = (side: ChangeKey['side'], name: string): vscode.Uri => {
    const query = JSON.stringify({ ...key, file: path, side } satisfies ChangeKey);
    return vscode.Uri.from({ scheme, authority: changesAuthority, path: safePath(name), query });
  };
  return [uriOf('before', from), uriOf('after', path)];
}

/** What the document of a changed file shows. */
export function textOfChange(runs: RunViews, { query }: vscode.Uri): string {
  const key = JSON.parse(query) as ChangeKey;
  const run = runs.find(key.run);
  const file = run && fileNamed(changedFiles(run, key), key.file);
  return run && file ? textOf(run, file, key.side) : vscode.l10n.t('This run is no longer in memory.');
}

/** A file before or after its changes, as far as the agent recorded it. */
function textOf({ log }: RunView, { path, spans, isUncounted }: FileChanges, side: ChangeKey['side']): string {
  const changes = spans.flatMap((id) => log.changesOf(id)).filter((change) => isSameFile(change.path, path));
  const texts = joinedTexts(changes);
  if (!texts) {
    return isUncounted === true
      ? vscode.l10n.t('The agent recorded no text of this change.')
      : vscode.l10n.t('The text of this change is no longer in memory.');
  }
  const { before, after, isWhole } = texts;
  const text = log.store.sessionIds.inText(side === 'after' ? after : (before ?? ''));
  if (isWhole) {
    return before === undefined && side === 'before' ? vscode.l10n.t('The agent recorded no earlier text.') : text;
  }
  return `${vscode.l10n.t('Only what the agent recorded of this file, one part below the other:')}\n\n${text}`;
}

/** A path for the URI of a document: nothing that leads elsewhere, and no control characters. */
function safePath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  // The name is the title of a tab.
  return `/${parts.map((part) => shownText(part).replaceAll('\n', ' ')).join('/')}`;
}
