/** A failure of a turn that the agent's stream reports. */
export type TurnFailure =
  | {
      readonly type: 'failed';
      /** In the agent's words, if it gives a reason. */
      readonly words: string | undefined;
      /** The agent's status for the turn is success nevertheless. */
      readonly saysSuccess: boolean;
    }
  /** The name of the limit that the agent reached, such as `turns`. */
  | { readonly type: 'limit'; readonly limit: string }
  /** The agent reported an error, and then success. */
  | { readonly type: 'cut-short'; readonly words: string };
