import type { AcpExtension } from '../../protocols/acp/extension';

export const extension: AcpExtension = { counts: { agent: /^opencode\b/i, basis: 'request' } };
