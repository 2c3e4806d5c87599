import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { isProtocol } from '../../wire/protocol';
import type { FileRunInfo } from '../files/fileRunInfo';

/** More is not kept in memory, in bytes. */
const maxSize = 512 * 1024 * 1024;

/** What of a run decides whether it can be replayed. */
export type Recorded = Pick<FileRunInfo, 'name' | 'protocol' | 'size' | 'saved'> & {
  /** Whether a tap or another window writes it. */
  readonly isBeingWritten: boolean;
};

/** Why a run can't be replayed, and what can be; `undefined` if it can. */
export function replayProblem({ name, protocol, size, saved, isBeingWritten }: Recorded): Words | undefined {
  if (saved) {
    return t("{0} is a saved session, which doesn't have what its client said. {1}", name, whatElse());
  }
  if (isBeingWritten) return t('{0} is still being written. Replay it when the run has ended.', name);
  if (size > maxSize) {
    return t('{0} has more than {1} MB, which is too much to replay. Record a shorter run.', name, maxSize / 1024 ** 2);
  }
  return isProtocol(protocol) ? undefined : noMessages(name);
}

export function noMessages(name: string): Words {
  return t('{0} has no messages of an agent. {1}', name, whatElse());
}

function whatElse(): Words {
  return t("Replay a journal, a transcript or an agent's JSON stream.");
}
