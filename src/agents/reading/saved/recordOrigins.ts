import { BoundedMap } from '../../../text/boundedMap';
import { ownHead } from '../../../text/ownText';
import type { LineOrigin, RecordIdentity } from './savedReader';

/** Maximum number of records to remember, and length of their IDs. */
const maxRecords = 50_000;
const maxId = 100;
/** Maximum number of branches to keep apart. */
const maxBranches = 8;

/** Whose a record is. */
type RecordOrigin =
  /** It counts. `branch` is 0 for the session itself; the others run beside it. */
  | { readonly type: 'new'; readonly branch: number }
  /** Another session counts it. */
  | { readonly type: 'copied'; readonly from: string | undefined }
  /** It was counted before. */
  | { readonly type: 'repeated' };

interface Place {
  readonly branch: number;
  /** Number of the turn in its branch. */
  readonly turn: number;
}

/**
 * Decides for each record of a file whether it is new, a copy of another session's, a repetition, or of a branch that another process writes.
 * Everything that counts depends on it: turns, tokens, cost, titles. It goes by the agent's marks and by identity.
 */
export class RecordOrigins {
  private readonly places = new BoundedMap<string, Place>(maxRecords);
  /** Number of turns in each branch. */
  private readonly turns: number[] = [0];
  private latest: Place = { branch: 0, turn: 0 };

  /** @param isInTurn true if a turn of this branch is running */
  constructor(private readonly isInTurn: (branch: number) => boolean) {}

  decide(origin: LineOrigin | undefined): RecordOrigin {
    if (origin?.type === 'copied') return { type: 'copied', from: origin.from };
    if (!origin) return { type: 'new', branch: this.latest.branch };
    const id = keyOf(origin.id);
    if (id !== undefined && this.places.has(id)) return { type: 'repeated' };
    this.latest = this.placeOf(origin);
    if (id !== undefined) this.places.set(id, this.latest);
    return { type: 'new', branch: this.latest.branch };
  }

  private placeOf({ parentId, isPrompt = false }: RecordIdentity): Place {
    const parent = this.places.get(keyOf(parentId) ?? '');
    if (!isPrompt) return parent ?? this.latest;
    const branch = this.branchOfPrompt(parent);
    const turn = (this.turns[branch] ?? 0) + 1;
    this.turns[branch] = turn;
    return { branch, turn };
  }

  private branchOfPrompt(parent: Place | undefined): number {
    const { branch } = parent ?? this.latest;
    if (!this.isInTurn(branch)) return this.isInTurn(0) ? branch : 0;
    // A prompt during a turn follows a record of that turn, unless another process wrote it.
    if (!parent || parent.turn >= (this.turns[branch] ?? 0)) return branch;
    const free = this.turns.findIndex((_, index) => !this.isInTurn(index));
    if (free >= 0) return free;
    return this.turns.length < maxBranches ? this.turns.length : branch;
  }
}

function keyOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : ownHead(id, maxId);
}
