import type { JsonObject } from '../../log/json';
import type { SavedWriter } from './writer/savedWriter';

/** Reads the lines of one saved session, in order. */
export interface SavedReader {
  read(line: JsonObject, writer: SavedWriter): void;
}
