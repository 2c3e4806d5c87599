import type { JsonObject } from '../text/json';
import type { SavedRoot } from './savedRoot';

/** When an agent deletes its sessions without being asked. */
export interface Deletion {
  /** The version whose code or packages were searched for it; absent if none was. */
  readonly asOf?: string;
  /** What it does, in English, for the documents. */
  readonly rule: string;
  /** Absent if it deletes none. */
  readonly age?: DeletionAge;
}

/** Sessions are deleted that haven't changed for a number of days, when the agent is used the next time. */
export interface DeletionAge {
  /** The setting's name, and the file that has it, for people. */
  readonly setting: string;
  readonly file: string;
  /** Names of the settings file, the first that exists, in the agent's folder. */
  readonly names: readonly string[];
  /** Candidates for the folder with the settings, if it isn't the agent's. */
  readonly roots?: readonly SavedRoot[];
  /** The number of days; `undefined` if it deletes none. @param settings empty if there is no file */
  days(settings: JsonObject): number | undefined;
}
