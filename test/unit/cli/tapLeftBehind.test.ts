import assert from 'node:assert/strict';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { useCli } from '../../support/cli';
import { leavesChild, leavesWriter } from '../../support/platform';

function brief(event: WireEvent): string {
  if (event.dir === 'ev') return event.ev === 'exit' ? `exit ${event.code ?? ''}` : event.ev;
  return `${event.dir} ${event.line}`;
}

describe('agent-logs tap: processes that the agent left behind', () => {
  const cli = useCli();
  let folder: string;
  beforeEach(() => (folder = cli.newFolder()));

  it('passes on what one still writes, and then exits as the agent did', async () => {
    const { stdout, stderr, code } = await cli.run(cli.tapTo(folder, ...leavesWriter));
    assert.deepEqual([stdout.toString(), stderr, code], ['late\n', 'late\n', 2]);
    const [journal] = await cli.journals(folder);
    assert.deepEqual(journal?.events.map(brief), ['spawn', 'stdin-close', 'a2c late', 'err late', 'exit 2']);
  });

  it('does not wait long for a silent one', async () => {
    // It lives longer than this test may take.
    const ended = await cli.run(cli.tapTo(folder, ...leavesChild));
    assert.equal(ended.stdout.toString(), 'out\n');
  });
});
