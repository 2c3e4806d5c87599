import assert from 'node:assert/strict';
import type * as published from '../../../api/agent-logs';
import type { AgentLogsApi } from '../../../src/ui/api';

describe('api/agent-logs.d.ts', () => {
  it('says of the API what the extension exports: held by the type checker', () => {
    const exported = (api: AgentLogsApi): published.AgentLogsApi => api;
    const wanted = (
      options: Parameters<published.AgentLogsApi['publish']>[0],
    ): Parameters<AgentLogsApi['publish']>[0] => options;
    assert.equal(typeof exported, typeof wanted);
  });
});
