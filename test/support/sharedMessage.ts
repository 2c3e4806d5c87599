import type { SharedMessage } from '../../src/share/sharedRun';

/** A message of a shared run. By default, it has neither a session nor an answer. */
export function sharedMessage(
  fields: Partial<SharedMessage> & Pick<SharedMessage, 'kind' | 'direction' | 'method'>,
): SharedMessage {
  const sizes = { size: 1, answerSize: 0, took: undefined, seq: 1, answerSeq: undefined };
  const about = { at: 1, carried: '', sessionId: undefined, status: 'none', code: undefined, id: undefined } as const;
  return { ...about, ...sizes, ...fields };
}
