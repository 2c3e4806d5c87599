import type { JsonObject } from '../text/json';
import type { KeyedLine } from './reading/saved/keyedLine';
import type { SavedReader } from './reading/saved/savedReader';
import type { BesideForm } from './beside';
import type { Asking } from '../work/activity';
import type { Tried } from './tried';
import type { Deletion } from './deletion';
import type { SavedDatabase } from './savedDatabase';
import type { SavedDetails } from './savedDetails';
import type { SavedRoot } from './savedRoot';

/** How and where an agent saves sessions. Paths are lists of names; `past/saved` finds and reads the files. */
export type SavedForm = SavedInFiles | SavedAsChanges | SavedInDatabase;

interface CommonForm {
  readonly tried: Tried;
  /** True only if the line is certainly this agent's. */
  recognises(line: JsonObject): boolean;
  reader(): SavedReader;
  readonly document?: DocumentForm;
  /** Candidates for the agent's folder. The first one counts whose base is set. */
  readonly roots: readonly SavedRoot[];
  /** Folders that count, too, if no variable is set. */
  readonly otherRoots?: readonly SavedRoot[];
  /** True if all of them count that exist. */
  readonly hasSeveralRoots?: boolean;
  /** True if its folder is there before its first session. */
  readonly isFolderFirst?: boolean;
  readonly beside?: BesideForm;
  /**
   * Names of its program: a session whose turn is open runs if the program has run in its folder since it was written last. Without marks of
   * its own, nothing else tells: agents write nothing while their model answers.
   */
  readonly programs?: readonly string[];
  readonly waits: WaitForm;
  readonly deletion: Deletion;
}

/** What says that a session waits for its user. */
export interface WaitForm {
  /** Records that say it, for the documents. */
  readonly records: readonly string[];
  /** Tools that ask the user, and for what: the session waits while a call of one is open. */
  readonly tools: Readonly<Record<string, Asking>>;
  /** Whether questions for permission leave a record; `none` if the agent asks for no permission. */
  readonly permissions: 'recorded' | 'unrecorded' | 'none';
}

interface FileForm extends CommonForm {
  /** Its session files below the agent's folder. */
  readonly files: readonly SessionFiles[];
  /** A small file in the folder above, with the session's working folder. */
  readonly folderFile?: { readonly name: string; readonly folder: (text: string) => string | undefined };
}

/** As JSON lines, or as JSON documents that are converted into lines; a file each. */
export interface SavedInFiles extends FileForm {
  readonly type: 'files';
  /** True if each project's folder is named after the working folder. */
  readonly namesProjects?: boolean;
  /** Where to add the session's ID to a file that doesn't name it. */
  readonly naming?: AddedField;
  readonly subagents?: SubagentFiles;
  /** The time in a session's ID, in milliseconds since the epoch, if subagents are saved as separate sessions. */
  readonly timeInId?: (id: string) => number;
  /** How much to read from the beginning and end of a file, in bytes: enough for the first prompt and the last turn. */
  readonly ends?: { readonly head: number; readonly tail: number };
  readonly about?: AboutForm;
  readonly marks?: RunningMarks;
  readonly unmarked?: UnmarkedForm;
}

/** As logs of the changes of a document, which are converted into lines. */
export interface SavedAsChanges extends FileForm {
  readonly type: 'changes';
  readonly changes: ChangesForm;
}

/** As rows. */
export interface SavedInDatabase extends CommonForm {
  readonly type: 'database';
  readonly database: SavedDatabase;
}

/** A session in one JSON document. */
interface DocumentForm {
  /** The field with the list of its messages. */
  readonly list: string;
  /** Converts it into lines; `undefined` for any other document. */
  lines(document: JsonObject, messages: readonly JsonObject[]): readonly KeyedLine[] | undefined;
}

/** What older versions copied into the new file of a session that was resumed, without a mark. */
export interface UnmarkedForm {
  /** True if files of this version may have such copies. */
  isIn(version: string | undefined): boolean;
  /** What identifies a record, also where it was copied; empty for lines that aren't part of the conversation. */
  idsIn(line: JsonObject): readonly string[];
  /** A copied line with the mark of newer versions. */
  marked(line: JsonObject, session: string, from: string): JsonObject;
}

/** The small file beside a session, with the process that writes the session. */
interface AboutForm {
  /** Its name in the session's folder. */
  file(id: string): string;
  read(text: string): AboutSession;
  /** True if it says everything but why a session failed, unless it has no outcome. */
  readonly isEnough?: boolean;
}

export interface ChangesForm {
  /** True if a file that starts like this is such a log. */
  recognises(head: string): boolean;
  replay(): Replay;
  /** Details from the first and last characters of a file that is too large to be replayed. */
  details(head: string, tail: string): SavedDetails;
}

/** Applies the changes of a document, and converts it into lines. */
export interface Replay {
  /**
   * Applies a line of the file. Returns false if it is no change of the document.
   * @param line `undefined` if it can't be read
   */
  apply(line: unknown, bytes: number): boolean;
  /** The lines that may be new or have changed. @param atEnd false if more of the file follows */
  lines(atEnd: boolean): Iterable<KeyedLine>;
}

export interface AboutSession extends SavedDetails {
  /** The process that the file names as its writer. */
  readonly pid?: number;
}

/** Any folder. */
export const anyFolder = '*';

/** Files with the session's ID as the first group of their name, or a folder for each session that is named after it. */
export type SessionFiles = { readonly below: readonly string[] } & (
  | { readonly name: RegExp }
  | {
      file(id: string): string;
      /** The ID in the folder's name, if it isn't the name. */
      id?(folder: string): string;
    }
);

export interface SubagentFiles {
  /** Where they are, from the session's folder. `name` is the session's in its file name, `id` that in the file. */
  place(session: { readonly name: string; readonly id: string }): readonly string[];
  /** Other such places; `anyFolder` is each folder there. */
  morePlaces?(session: { readonly name: string }): readonly (readonly string[])[];
  readonly file: RegExp;
  /** True if they may also be beside their session's file. Their first lines name the session. */
  readonly isBeside?: boolean;
  /** The names of folders there with a file each, if they aren't in one folder. */
  readonly folder?: RegExp;
  /** True if their folder is named after an ID that only the file has. */
  readonly needsId?: boolean;
  /** Where to add the session's ID to a subagent that doesn't name it. */
  readonly parent?: AddedField;
}

/** A field to add to a file's header, and one that every header has. */
export interface AddedField {
  readonly header: string;
  readonly field: string;
}

/** The fields of a mark, beside `pid`. */
export interface MarkFields {
  readonly session: string;
  /** The name of the machine, if the agent records it. */
  readonly host?: string;
  /** What the mark says that its session does. */
  readonly state?: (mark: JsonObject) => MarkedState | undefined;
}

/** What a running session does, as its mark says. `since`: in milliseconds since the epoch. */
export type MarkedState =
  | { readonly type: 'busy' | 'idle'; readonly since: number }
  | { readonly type: 'waiting'; readonly asking: Asking; readonly since: number };

/** What an agent writes while a session runs; it survives a kill. */
export type RunningMarks =
  /** Files with a PID. */
  | ({ readonly type: 'folder'; readonly names: readonly string[]; readonly file: RegExp } & MarkFields)
  /** A file beside the session's with a PID. */
  | ({ readonly type: 'beside'; readonly suffix: string } & MarkFields)
  /** Files, each named after a session, which the process that writes the session keeps locked. */
  | { readonly type: 'locked'; readonly names: readonly string[]; readonly file: (id: string) => string }
  /** Files in the session's folder, with the PID as the first group of their name. */
  | { readonly type: 'lock'; readonly file: RegExp };

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** A name that is a UUID, between two patterns. */
export function named(before: string, after: string): RegExp {
  return new RegExp(`^${before}(${uuid})${after}$`);
}
