import { oneLine } from '../../text/text';
import { textsOf } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';

const notice = /^_?qwen\/notify\/(?:\w+\/)?([\w/-]{1,60})$/;

export const extension: AcpExtension = {
  turnOf(method, { reason }) {
    if (method === '_qwencode/start_turn') return { type: 'started' };
    return method === '_qwencode/end_turn' ? { type: 'ended', stopReason: reason } : undefined;
  },
  // For clients that draw more than ACP has: the next prompt, titles, models.
  wordsOf(method, params) {
    const name = notice.exec(method)?.[1];
    if (name === undefined) return undefined;
    const { suggestion, title, currentModelId, currentModeId, reason } = params;
    const said = textsOf(suggestion, title, currentModelId, currentModeId, reason).join(', ');
    const level = name === 'recording-degraded' ? 'warning' : 'debug';
    return { level, logger: 'qwen', message: oneLine(textsOf(name.replace(/[/-]/g, ' '), said).join(': '), 500) };
  },
};
