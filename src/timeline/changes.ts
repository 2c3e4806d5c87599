import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import type { ChangedFile, ChangeTexts, FileChange } from '../work/changes/fileChange';
import { linesOf } from '../work/changes/lineCounts';
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

/** The spans that pass, and everything in them, such as the turns of subagents. @param spans in order of their start */
export function spansWithin(spans: readonly Span[], isWanted: (span: Span) => boolean): readonly Span[] {
  const ids = new Set<string>();
  return spans.filter((span) => {
    const isPart = isWanted(span) || (span.parent !== undefined && ids.has(span.parent));
    if (isPart) ids.add(span.id);
    return isPart;
  });
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

/** `+3 −1`, or `new, +12`. */
export function fileText(file: ChangedFile, l10n: Translator = english): string {
  const { kind, isUncounted } = file;
  const words: Partial<Record<ChangedFile['kind'], string>> = {
    created: l10n.t('new'),
    deleted: l10n.t('deleted'),
    moved: l10n.t('moved'),
  };
  const word = words[kind] ?? '';
  const lines = linesText(file);
  const counts = lines !== '' && isUncounted ? l10n.t('at least {0}', lines) : lines;
  const parts = [word, counts].filter((part) => part !== '');
  return parts.length === 0 ? l10n.t('changed') : parts.join(', ');
}

/** What a step did to its files as text: a diff of each. */
export function diffText(changes: readonly FileChange[], l10n: Translator = english): string {
  return changes
    .map((change) => {
      const { path, from = path, texts } = change;
      const head = `--- ${change.kind === 'created' ? '/dev/null' : from}\n+++ ${change.kind === 'deleted' ? '/dev/null' : path}`;
      return texts ? `${head}\n${diffLines(texts).join('\n')}` : `${head}\n${fileText(change, l10n)}`;
    })
    .join('\n\n');
}

/** Lines around what differs. */
const context = 3;

/** The names of the files that spans changed, once for each span. */
export function changedNames(spans: readonly Span[]): readonly string[] {
  return spans.flatMap(({ kind, changes = [] }) =>
    kind === 'tool' ? [...new Set(changes.map(({ path }) => baseName(path)))] : [],
  );
}

/** What lies between the lines that both texts begin and end with. */
function diffLines({ before = '', after }: ChangeTexts): readonly string[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  const signed = (sign: string, lines: readonly string[]): string[] => lines.map((line) => `${sign}${line}`);
  return [
    ...signed(' ', a.slice(Math.max(0, from - context), from)),
    ...signed('-', a.slice(from, a.length - end)),
    ...signed('+', b.slice(from, b.length - end)),
    ...signed(' ', a.slice(a.length - end, a.length - end + context)),
  ];
}

/** `+40 −12`; empty if there are none. */
function linesText({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): string {
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
}
