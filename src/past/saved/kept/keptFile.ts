import type { SaverId } from '../../../agents/agents';
import { savers } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { JsonObject } from '../../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../../text/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { FsStats, SavedFs } from '../list/savedFs';
import type { SavedSession } from '../savedSession';
import type { KeptCopy } from './keptCopy';

/** Lines of one file of the session, or of one subagent, in the copy. */
export interface KeptPart {
  /** Where they end, in bytes. */
  readonly end: number;
  /** When lines without a time were written, in milliseconds since the epoch. */
  readonly modifiedAt?: number | undefined;
}

/** The first line of a copy. The lines of its parts follow, one after the other. */
export interface KeptHeader {
  readonly copy: Pick<KeptCopy, 'at' | 'by' | 'original' | 'modifiedAt'>;
  readonly agent: SaverId;
  /** The agent's ID for it, as its file name has it, and as the session has it. */
  readonly fileId: string;
  readonly id: string;
  readonly details: SavedDetails;
  readonly parts: readonly KeptPart[];
}

/** Increase this when older versions couldn't read the file. */
const version = 1;
/** Maximum length of a header, in bytes: it names at most a few hundred parts. */
const maxHeader = 64 * 1024;
/** No offset is longer. */
const longest = Number.MAX_SAFE_INTEGER;

/** As a line of bytes. @param length of a header with other ends, in bytes; it is as long */
export function headerBytes(header: KeptHeader, length = 0): Buffer {
  const text = JSON.stringify({ keptSession: version, ...header });
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.from(`${' '.repeat(Math.max(0, length - bytes.length - 1))}\n`)]);
}

/** The length of a header before its ends are known, in bytes. */
export function headerLength(header: Omit<KeptHeader, 'parts'>, parts: number): number {
  const unknown = Array.from({ length: parts }, () => ({ end: longest, modifiedAt: longest }));
  return headerBytes({ ...header, parts: unknown }).length;
}

/** A copy whose file was found, but whose lines weren't read. */
export interface FoundCopy {
  readonly session: SavedSession & { readonly kept: KeptCopy };
  readonly fileId: string;
}

/** The session in the file of a copy; `undefined` for any other file. @throws if it can't be read */
export async function keptSessionAt(path: string, stats: FsStats, fs: SavedFs): Promise<FoundCopy | undefined> {
  const header = (await keptHeaderAt(path, fs))?.header;
  if (!header) return undefined;
  const { agent, id, fileId, details, copy } = header;
  const kept = { ...copy, path, size: stats.size };
  const session = { ...details, agent, id, path, size: stats.size, modifiedAt: copy.modifiedAt, kept, isGone: true };
  return { session, fileId };
}

/** Whether there is no copy of it as it is now. */
export function needsCopy({ kept, isGone, modifiedAt }: SavedSession): boolean {
  return isGone !== true && (kept === undefined || kept.modifiedAt < modifiedAt);
}

/** The header of a copy, and where the first part begins, in bytes. */
export async function keptHeaderAt(
  path: string,
  fs: Pick<SavedFs, 'read'>,
): Promise<{ readonly header: KeptHeader; readonly start: number } | undefined> {
  const head = await fs.read(path, 0, maxHeader);
  const end = head.indexOf(10);
  // Other files that may be opened begin with long lines.
  if (end < 0 || !head.toString('latin1', 0, 20).startsWith('{"keptSession":')) return undefined;
  const header = headerIn(objectOf(jsonValueOf(head.toString('utf8', 0, end)).msg));
  return header && { header, start: end + 1 };
}

/** Anyone may have written it. */
function headerIn(line: JsonObject): KeptHeader | undefined {
  const { at, by, original, modifiedAt } = objectOf(line['copy']);
  const agent = savers.find(({ id }) => id === line['agent'])?.id;
  const [id, fileId, path] = [textOf(line['id']), textOf(line['fileId']), textOf(original)];
  const times = [numberOf(at), numberOf(modifiedAt)] as const;
  if (line['keptSession'] !== version || agent === undefined || id === undefined || fileId === undefined) {
    return undefined;
  }
  if (path === undefined || times[0] === undefined || times[1] === undefined || !isObject(line['details'])) {
    return undefined;
  }
  const parts = arrayOf(line['parts']).map(objectOf);
  return {
    copy: { at: times[0], by: by === 'setting' ? by : 'user', original: path, modifiedAt: times[1] },
    agent,
    id,
    fileId,
    details: line['details'],
    parts: parts.map((part) => ({ end: numberOf(part['end']) ?? 0, modifiedAt: numberOf(part['modifiedAt']) })),
  };
}
