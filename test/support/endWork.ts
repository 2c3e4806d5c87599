import { isEnd } from '../../src/protocols/lifecycle';
import type { WireEvent } from '../../src/wire/wireEvent';
import type { Work } from '../../src/work/work';

/** For a reader without a run: the end of a process ends what is open, once it was read. */
export function endWork(work: Work, event: WireEvent): void {
  if (event.dir === 'ev' && isEnd(event)) work.end(event.t);
}
