import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import type { ChangedFile, ChangeTexts, FileChange } from '../work/changes/fileChange';
import type { Step } from '../work/step';
import type { Span } from './span';

/** A file that the calls of a turn or a session changed. Its lines are the sums of all its changes. */
export interface FileChanges extends ChangedFile {
  /** The spans that changed it, in order. */
  readonly spans: readonly string[];
}

/** What the calls of a turn or a session changed. */
export interface Changes {
  /** In order of their first change. */
  readonly files: readonly FileChanges[];
  readonly added: number;
  readonly removed: number;
  /** Some records name their files only, so there were more lines. */
  readonly isLeast: boolean;
}

/** What a step changed: nothing if it failed or was refused, or didn't end. */
export function changedBy({ kind, end, changes }: Step): readonly FileChange[] | undefined {
  if (kind === 'turn') return changes;
  const isDone = end !== undefined && (end.outcome ?? 'ok') === 'ok';
  return kind === 'tool' && isDone ? changes : undefined;
}

/** Joins what spans changed, by file. `undefined` if they changed nothing. @param spans in order of their start */
export function changesIn(spans: readonly Span[]): Changes | undefined {
  const files = new Files();
  // What an agent had its client write is usually in its tool call, too.
  for (const span of [...spans].sort((a, b) => Number(a.kind === 'turn') - Number(b.kind === 'turn'))) {
    for (const change of span.changes ?? []) files.add(span, change);
  }
  const { all } = files;
  if (all.length === 0) return undefined;
  const sum = (side: 'added' | 'removed'): number => all.reduce((total, file) => total + file[side], 0);
  return { files: all, added: sum('added'), removed: sum('removed'), isLeast: all.some((file) => file.isUncounted) };
}

class Files {
  private readonly byName = new Map<string, FileChanges[]>();
  private readonly order: FileChanges[] = [];

  add({ id, kind }: Span, change: ChangedFile): void {
    const name = baseName(change.path);
    const known = this.byName.get(name)?.find(({ path }) => isSameFile(path, change.path));
    if (known && kind === 'turn') return;
    const file = known ? joined(known, change, id) : { ...change, spans: [id] };
    if (known) {
      this.order[this.order.indexOf(known)] = file;
      this.byName.set(
        name,
        (this.byName.get(name) ?? []).map((each) => (each === known ? file : each)),
      );
    } else {
      this.order.push(file);
      this.byName.set(name, [...(this.byName.get(name) ?? []), file]);
    }
  }

  get all(): readonly FileChanges[] {
    return this.order;
  }
}

function joined(known: FileChanges, change: ChangedFile, id: string): FileChanges {
  const isNew = known.kind === 'created' && change.kind !== 'deleted' && change.kind !== 'moved';
  return {
    ...known,
    // The longer one is absolute.
    path: change.path.length > known.path.length ? change.path : known.path,
    kind: isNew || change.kind === 'edited' ? known.kind : change.kind,
    ...(change.from !== undefined && { from: change.from }),
    added: known.added + change.added,
    removed: known.removed + change.removed,
    ...((known.isUncounted ?? change.isUncounted) && { isUncounted: true }),
    spans: known.spans.at(-1) === id ? known.spans : [...known.spans, id],
  };
}

/** Whether two names mean the same file: agents use absolute paths and paths in their folder side by side. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [slashed(a), slashed(b)];
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

export function baseName(path: string): string {
  return slashed(path).split('/').at(-1) ?? path;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/**
 * The texts of a file before and after its changes: whole if the first and the last are known and each change begins with the text that the one
 * before left; otherwise the recorded parts, one below the other.
 */
export function joinedTexts(changes: readonly FileChange[]): ChangeTexts | undefined {
  const texts = changes.flatMap((change) => change.texts ?? []);
  const [first, last] = [texts[0], texts.at(-1)];
  if (!first || !last) return undefined;
  const isChain = texts.every(
    ({ before, isWhole }, index) =>
      isWhole && (index === 0 || before === undefined || before === texts[index - 1]?.after),
  );
  if (isChain) return { ...(first.before !== undefined && { before: first.before }), after: last.after, isWhole: true };
  const join = (parts: readonly string[]): string => parts.join('\n⋯\n');
  return {
    before: join(texts.map(({ before = '' }) => before)),
    after: join(texts.map(({ after }) => after)),
    isWhole: false,
  };
}

/** `3 files, +40 −12` */
export function changesText({ files, added, removed, isLeast }: Changes, l10n: Translator = english): string {
  const count = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
  const lines = linesText({ added, removed });
  if (lines === '') return count;
  return `${count}, ${isLeast ? l10n.t('at least {0}', lines) : lines}`;
}

/** `+40 −12`; empty if there are none. */
export function linesText({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): string {
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
}
