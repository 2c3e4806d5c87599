import type { Query } from '../query/query';

/** What a limit measures, as in the setting. */
export const measures = ['costPerTurn', 'costPerDay', 'context', 'turnMinutes', 'limit'] as const;

export type Measure = (typeof measures)[number];

/** The condition of an alert. */
export type Condition =
  /** `text`: the query as the user wrote it. */
  | { readonly type: 'query'; readonly query: Query; readonly text: string }
  /** `value`: in US dollars, percent or minutes. */
  | { readonly type: 'limit'; readonly measure: Measure; readonly value: number };

export interface Alert {
  /** Its entry as JSON, which identifies it when the setting changes. */
  readonly key: string;
  readonly when: Condition;
  /** The user's own message. */
  readonly message: string | undefined;
  /** Whether to show a notification, too. */
  readonly notifies: boolean;
}
