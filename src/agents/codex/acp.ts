import { objectOf } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';

/** codex-acp. */
export const extension: AcpExtension = {
  counts: { agent: /\bcodex\b/i, basis: 'turn' },
  saysFailed: ({ codex }) => objectOf(objectOf(codex)['threadStatus'])['type'] === 'systemError',
};
