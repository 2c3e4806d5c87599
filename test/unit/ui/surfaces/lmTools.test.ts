import { registeredTools } from '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { FileRun } from '../../../../src/past/files/fileRun';
import type { LmToolServices } from '../../../../src/ui/surfaces/lmTools/lmTools';
import { registerLmTools } from '../../../../src/ui/surfaces/lmTools/lmTools';
import { redactionWith } from '../../../support/redaction';

describe('the tools of the chat', () => {
  it('offer the past runs of this workspace, whose folders have lost their secrets', async () => {
    const past = ['/home/[redacted]/shop/api', '/home/[redacted]/other'].map((cwd, n) =>
      pastRun(`Agent ${n + 1}`, cwd),
    );
    const services = {
      views: { all: [], withPast: () => Promise.resolve(past) },
      fileRuns: {},
      local: { isShown: false, folders: ['/home/acme/shop'] },
      configuration: { ownRedaction: redactionWith(/acme/) },
      checkUps: {},
    };
    const tools = registerLmTools(services as unknown as LmToolServices);
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    const result = await registeredTools.get('agentLogs_listRuns')?.invoke({ input: {} }, token);
    tools.dispose();
    const text = result?.content[0]?.value ?? '';
    assert.ok(text.includes('Agent 1') && !text.includes('Agent 2'), text);
  });
});

function pastRun(name: string, cwd: string): FileRun {
  const about = { id: name, origin: 'past', name, protocol: 'acp', command: [], paths: [], size: 0, cwd } as const;
  const info = { ...about, startedAt: 0, modifiedAt: 0, isRedacted: true };
  return new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined });
}
