import { isObject, objectOf } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';
import { claudeQuota, claudeReport } from './reports';

/** claude-agent-acp. */
export const extension: AcpExtension = {
  counts: { agent: /\bclaude\b/i, basis: 'turn' },
  toolOf({ claudeCode }) {
    if (!isObject(claudeCode)) return undefined;
    return { parentId: claudeCode['parentToolUseId'], name: claudeCode['toolName'] };
  },
  modelOf: (meta) => meta['_claude/model'],
  // It forwards Claude Code's messages.
  reportOf: (method, { message }) => (method === '_claude/sdkMessage' ? claudeReport(objectOf(message)) : undefined),
  quotaOf: (method, { message }) => {
    const { type, rate_limit_info: info } = objectOf(message);
    return method === '_claude/sdkMessage' && type === 'rate_limit_event' ? claudeQuota(objectOf(info)) : undefined;
  },
};
