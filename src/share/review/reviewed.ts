import type { PersonalNames } from '../../redact/review/personal';
import { PersonalFinder } from '../../redact/review/personal';
import { longTokensIn } from '../../redact/review/suspects';
import type { Span } from '../../redact/span';
import { marker, replaceSpans } from '../../redact/span';
import type { SharedCut, SharedRun } from '../sharedRun';
import { sharedContents } from '../sharedRun';
import type { ShareChoice } from './choice';
import { leaveOut } from './leaveOut';
import type { Pauses } from './pauses';
import type { TextPlace } from './place';
import type { TextChange } from './texts';
import { mapTexts } from './texts';

/**
 * What of a run is written to a file.
 * @param names that are replaced, as `findIn` found them
 * @throws Cancelled
 */
export async function reviewed(
  run: SharedRun,
  { include, replacesPersonal, cutsSuspects }: ShareChoice,
  names: PersonalNames,
  pauses: Pauses,
): Promise<SharedRun> {
  const left = sharedContents.filter((content) => !include.has(content));
  const smaller = await leaveOut(run, new Set(left), pauses);
  if (!replacesPersonal && !cutsSuspects) return smaller;
  const change = new Replacement(replacesPersonal ? new PersonalFinder(names) : undefined, cutsSuspects);
  const replaced = await mapTexts(smaller, change, pauses);
  return { ...replaced, cut: [...replaced.cut, ...change.cut] };
}

/** Replaces what is personal, and cuts what may be a secret. */
class Replacement implements TextChange {
  private personal = 0;
  private suspects = 0;

  constructor(
    private readonly finder: PersonalFinder | undefined,
    private readonly cutsSuspects: boolean,
  ) {}

  get cut(): readonly SharedCut[] {
    return [
      ...(this.personal > 0 ? [{ type: 'personal', count: this.personal } as const] : []),
      ...(this.suspects > 0 ? [{ type: 'suspects', count: this.suspects } as const] : []),
    ];
  }

  mayChange(json: string): boolean {
    return this.personalIn(json).length > 0 || this.suspectsIn(json).length > 0;
  }

  change(text: string, _: TextPlace, field?: string): string {
    const personal = this.personalIn(text);
    const suspects = this.suspectsIn(text, field);
    this.personal += personal.length;
    this.suspects += suspects.length;
    return personal.length + suspects.length === 0 ? text : replaceSpans(text, [...personal, ...suspects]);
  }

  private personalIn(text: string): readonly Span[] {
    return this.finder?.in(text) ?? [];
  }

  private suspectsIn(text: string, field?: string): readonly Span[] {
    if (!this.cutsSuspects) return [];
    return longTokensIn(text, field).suspects.map(({ start, end }) => ({ start, end, text: marker }));
  }
}
