import type { AcpExtension } from '../../protocols/acp/extension';

export const extension: AcpExtension = { counts: { agent: /^kilo\b/i, basis: 'request' } };
