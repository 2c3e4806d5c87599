import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { bundleProgram } from '../../support/bundle';
import type { Fault } from '../fault';
import type { Stage } from '../stage';
import { within } from '../waiting';

/** What a process that the agent left behind writes afterwards is passed on and journaled. */
export const lateOutput: Fault = {
  name: 'agent behind the tap exits before its child has written',
  async bringAbout(stage) {
    const tap = await startTap(stage, ['sh', '-c', '(sleep 1; echo late) & exit 2']);
    tap.stdin.end();
    let printed = '';
    tap.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const code = await within(new Promise((done) => tap.once('close', done)), 10_000, 'the end of the tap');
    const [journal = ''] = readdirSync(stage.journals);
    const isKept = readFileSync(join(stage.journals, journal), 'utf8').includes('"line":"late"');
    return {
      sent: '1 line',
      lost: printed === 'late\n' && isKept ? 0 : 1,
      failures: code === 2 ? [] : [`ended with code ${String(code)}`],
    };
  },
};

async function startTap(
  stage: Stage,
  command: readonly string[],
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const program = await bundleProgram('cli', stage.folder);
  const args = [program, 'tap', '--name', 'fault', '--protocol', 'acp', '--folder', stage.journals, '--', ...command];
  const env = { ...process.env, HOME: stage.folder };
  return spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
}
