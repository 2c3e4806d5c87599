import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import type { JsonObject } from '../../../text/json';

/** What identifies a record among those of its session, also if the agent writes it again. */
export interface RecordIdentity {
  readonly id?: string | undefined;
  /** The record that it follows in the conversation. */
  readonly parentId?: string | undefined;
  /** True if the user starts something with it. */
  readonly isPrompt?: boolean;
}

/** Whose a line is, by its agent's marks. */
export type LineOrigin =
  | ({ readonly type: 'own' } & RecordIdentity)
  /** Copied from another session, which is named if the agent says which one. */
  | { readonly type: 'copied'; readonly from?: string | undefined }
  /** The next line that is one of the above decides. */
  | ({ readonly type: 'unsure' } & RecordIdentity);

/** Reads the lines of a file of a saved session. */
export interface SavedReader extends AgentReader {
  /** Called once for each line, in order. `undefined` for lines that aren't part of the conversation. */
  originOf?(line: JsonObject): LineOrigin | undefined;
  /** A reader for the lines of another branch; without it, the same reads them. */
  forBranch?(): SavedReader;
}
