import assert from 'node:assert/strict';
import { Connection } from '../../../src/sampleAgent/connection';
import { SampleAgent } from '../../../src/sampleAgent/sampleAgent';
import { rowsOf } from '../../support/columns';

describe('the sample agent: heartbeat', () => {
  it('counts beats, seconds and open sessions', async () => {
    const beats: Record<string, unknown>[] = [];
    const notify = (_method: string, { data }: { data: Record<string, unknown> }): Promise<void> =>
      Promise.resolve(void beats.push(data));
    const connection = new Connection({ notify } as never);
    const agent = new SampleAgent(connection);
    agent.beat();
    connection.threshold = 'debug';
    agent.beat();
    const { sessionId } = agent.newSession({ cwd: '/', mcpServers: [] });
    agent.beat();
    connection.threshold = 'off';
    await agent.close(sessionId);
    connection.threshold = 'debug';
    agent.beat();
    const seconds = performance.now() / 1000;
    for (const { uptimeSeconds } of beats) assert.ok(Number(uptimeSeconds) <= seconds + 1);
    assert.deepEqual(rowsOf(beats, 'count', 'sessions'), ['2 0', '3 1', '4 0'], 'the first is below the level');
  });
});
