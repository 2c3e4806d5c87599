import type { PageFault } from '../../explorer/page/pageFault';
import { faultPlaces, maxFault } from '../../explorer/page/pageFault';
import type { ShareFormat } from '../shareFormat';
import { shareFormats } from '../shareFormat';
import type { TextPlace } from './place';

/** Everything that can be ticked in the review. */
const reviewTicks = ['prompts', 'answers', 'tools', 'wire', 'stderr', 'personal', 'suspects'] as const;
export type ReviewTick = (typeof reviewTicks)[number];

export interface ReviewPlace extends TextPlace {
  /** Such as `#12`. */
  readonly label: string;
  /** What a screen reader says of it. */
  readonly name: string;
}

/** Something that was found, or a long text. */
export interface ReviewItem {
  readonly text: string;
  readonly note: string;
  readonly places: readonly ReviewPlace[];
  /** `and 12 more`, or ''. */
  readonly more: string;
}

export interface ReviewGroup {
  readonly title: string;
  readonly note: string;
  readonly tick?: { readonly id: ReviewTick; readonly label: string; readonly isChecked: boolean };
  readonly items: readonly ReviewItem[];
  /** `and 12 more`, or ''. */
  readonly more: string;
}

/** What the page of the review shows, in the display language. */
export interface ReviewView {
  readonly locale: string;
  readonly title: string;
  readonly intro: string;
  /** While the run is read, there is nothing else. */
  readonly review?: {
    readonly contents: {
      readonly legend: string;
      readonly presets: readonly { readonly id: 'full' | 'minimal'; readonly label: string; readonly hint: string }[];
      readonly groups: readonly ReviewGroup[];
    };
    readonly findings: readonly ReviewGroup[];
    readonly formats: {
      readonly legend: string;
      readonly choices: readonly { readonly id: ShareFormat; readonly label: string; readonly isChecked: boolean }[];
    };
    readonly save: string;
  };
  /** How large the file is, or what goes on. */
  readonly status: string;
  readonly isBusy: boolean;
  readonly cancel: string;
  /** What is said if the page can't be drawn. */
  readonly failure: { readonly message: string; readonly retry: string; readonly restart: string };
}

/** What the page says. */
export type ReviewMessage =
  | { readonly type: 'ready' | 'save' | 'cancel' }
  | { readonly type: 'format'; readonly id: ShareFormat }
  | { readonly type: 'tick'; readonly id: ReviewTick; readonly isChecked: boolean }
  | { readonly type: 'preset'; readonly id: 'full' | 'minimal' }
  | { readonly type: 'open'; readonly place: TextPlace }
  | { readonly type: 'fault'; readonly fault: PageFault };

/** A message of the page, if it is one. */
export function readReviewMessage(message: unknown): ReviewMessage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  const { type, id, isChecked, place, fault }: Partial<Record<string, unknown>> = message;
  switch (type) {
    case 'ready':
    case 'save':
    case 'cancel':
      return { type };
    case 'tick': {
      const tick = reviewTicks.find((known) => known === id);
      return tick && typeof isChecked === 'boolean' ? { type, id: tick, isChecked } : undefined;
    }
    case 'format': {
      const format = shareFormats.find((known) => known === id);
      return format && { type, id: format };
    }
    case 'preset':
      return id === 'full' || id === 'minimal' ? { type, id } : undefined;
    case 'open': {
      const { tab, seq }: Partial<Record<string, unknown>> = typeof place === 'object' && place !== null ? place : {};
      const isTab = tab === 'log' || tab === 'wire' || tab === 'turns';
      if (!isTab || (seq !== undefined && !Number.isSafeInteger(seq))) return undefined;
      return { type, place: { tab, ...(typeof seq === 'number' && { seq }) } };
    }
    case 'fault': {
      const { place: where, text }: Partial<Record<string, unknown>> =
        typeof fault === 'object' && fault !== null ? fault : {};
      const known = faultPlaces.find((one) => one === where);
      if (!known || typeof text !== 'string' || text.length > maxFault) return undefined;
      return { type, fault: { place: known, text } };
    }
    default:
      return undefined;
  }
}
