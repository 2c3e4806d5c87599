import { objectOf } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';

/** codex-acp. */
export const extension: AcpExtension = {
  countsTurns: /\bcodex\b/i,
  saysFailed: ({ codex }) => objectOf(objectOf(codex)['threadStatus'])['type'] === 'systemError',
};
