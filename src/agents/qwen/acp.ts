import type { AcpExtension } from '../../protocols/acp/extension';

export const extension: AcpExtension = {
  turnOf(method, { reason }) {
    if (method === '_qwencode/start_turn') return { type: 'started' };
    return method === '_qwencode/end_turn' ? { type: 'ended', stopReason: reason } : undefined;
  },
};
