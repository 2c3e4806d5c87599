import { shownLine } from '../text/text';
import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import { outcomeGlyphs } from '../work/outcome';
import type { StepKind } from '../work/step';
import { Slices } from '../time/slices';
import type { Span } from './span';

/** Deeper nesting is a bug. */
const maxDepth = 100;

/** A span, and how many spans it is in. */
export interface Outlined {
  readonly span: Span;
  readonly depth: number;
}

/**
 * Outermost spans, each with its parts in order of their start.
 * @param spans in order of their start
 */
export function outline(spans: readonly Span[]): readonly (readonly Outlined[])[] {
  const ids = new Set(spans.map(({ id }) => id));
  const children = new Map<string, Span[]>();
  const roots: Span[] = [];
  for (const span of spans) {
    // The oldest spans of a long run are evicted.
    if (span.parent === undefined || !ids.has(span.parent)) {
      roots.push(span);
      continue;
    }
    const siblings = children.get(span.parent);
    if (siblings) siblings.push(span);
    else children.set(span.parent, [span]);
  }
  const withParts = (span: Span, depth: number): readonly Outlined[] => [
    { span, depth },
    ...(depth < maxDepth ? (children.get(span.id) ?? []) : []).flatMap((part) => withParts(part, depth + 1)),
  ];
  return roots.map((root) => withParts(root, 0));
}

/** Changes the texts of spans. Redaction must come before texts are cut, because a part of a secret isn't recognized. */
export function mapTexts(spans: readonly Span[], change: (text: string) => string): Promise<readonly Span[]> {
  return new Slices().flatMap(spans, (span) => ({
    ...span,
    title: change(span.title),
    ...(span.detail !== undefined && { detail: change(span.detail) }),
    ...(span.toolName !== undefined && { toolName: change(span.toolName) }),
    ...(span.model !== undefined && { model: change(span.model) }),
  }));
}

/** `ok`, `failed (exit 1)`, `running` */
export function outcomeText({ endedAt, outcome, detail }: Span, l10n: Translator = english, maxDetail = 60): string {
  if (endedAt === undefined) return l10n.t('running');
  switch (outcome) {
    case 'error':
      return detail === undefined ? l10n.t('failed') : `${l10n.t('failed')} (${shownLine(detail, maxDetail)})`;
    case 'cancelled':
      return l10n.t('cancelled');
    case 'refused':
      return l10n.t('refused');
    case 'unanswered':
      return l10n.t('no answer');
    case 'unknown':
      return l10n.t('unknown answer');
    default:
      return l10n.t('ok');
  }
}

/** `npm test`, or `Bash: npm test` if the title doesn't name the tool. */
export function titleOf({ title, toolName }: Span, max: number): string {
  const isNamed = toolName === undefined || title.toLowerCase().includes(toolName.toLowerCase());
  return shownLine(isNamed ? title : `${toolName}: ${title}`, max);
}

/** `✗ Bash: npm test · failed (exit 1)`; the outcome of a turn is left out, because it comes after its parts. */
export function stepText(span: Span, max: number, l10n: Translator = english): string {
  const { kind, endedAt, outcome = 'ok' } = span;
  const title = titleOf(span, max);
  if (kind === 'turn') return l10n.t('Turn: {0}', title);
  const glyph = outcomeGlyphs[endedAt === undefined ? 'open' : outcome];
  const name = kind === 'tool' || title === kind ? title : `${kindName(kind, l10n)}: ${title}`;
  return `${glyph} ${name}${glyph === outcomeGlyphs.ok ? '' : ` · ${outcomeText(span, l10n, max)}`}`;
}

function kindName(kind: StepKind, l10n: Translator): string {
  switch (kind) {
    case 'permission':
      return l10n.t('permission');
    case 'subagent':
      return l10n.t('subagent');
    case 'compaction':
      return l10n.t('compaction');
    case 'hook':
      return l10n.t('hook');
    case 'span':
      return l10n.t('span');
    default:
      return kind;
  }
}
