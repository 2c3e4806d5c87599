import type { Words } from '../../text/translator';

/** Why nothing more is sent. */
export class SendingStopped extends Error {
  /** @param words absent if the user cancelled */
  constructor(readonly words?: Words) {
    super('Sending stopped');
  }
}
