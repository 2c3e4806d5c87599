import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { bundleProgram } from '../../support/bundle';
import type { Fault } from '../fault';
import { journalOnDisk } from '../journalOnDisk';
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

/** Longer than a line of the agent, in bytes. */
const lineLength = 512;
/** When the tap is killed, in received bytes: less than may wait for the journal, so that nothing was skipped. */
const killedAfter = 48 * 1024 * 1024;
/** More than this missing of what the client has received is a known limit, in bytes. */
const maxMissing = 1024 * 1024;

/** The journal lacks what waited in the tap, but nothing in between. */
export const tapKilled: Fault = {
  name: 'tap killed in a flood',
  async bringAbout(stage) {
    const agent = resolve('test/faults/agents/numbered.mjs');
    const tap = await startTap(stage, [process.execPath, agent, '0', stage.counterFile]);
    tap.stdin.on('error', () => undefined);
    tap.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize"}\n');
    let bytes = 0;
    let end = '';
    const received: { at: number; bytes: number }[] = [];
    tap.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      received.push({ at: performance.now(), bytes });
      end = (end + chunk.subarray(-lineLength * 2).toString()).slice(-lineLength * 2);
      if (bytes > killedAfter) tap.kill('SIGKILL');
    });
    await within(new Promise((done) => tap.once('close', done)), 30_000, 'the end of the tap');
    const sent = Math.max(...Array.from(end.matchAll(/"n":(\d+),"/g), ([, n]) => Number(n)));
    // On a busy machine, not even the first lines may have been written.
    const { last, hasNoGap } = existsSync(stage.journals) ? journalOnDisk(stage.journals) : { last: 0, hasNoGap: true };
    const missing = Math.round(((sent - last) * bytes) / sent);
    const mebibytes = `${(missing / 1024 / 1024).toFixed(1)} MiB`;
    const endAt = received.at(-1)?.at ?? 0;
    const ms = Math.round(endAt - (received.find((until) => until.bytes > bytes - missing)?.at ?? endAt));
    return {
      sent: `${sent} messages`,
      lost: 0,
      failures: hasNoGap ? [] : ['the journal has a gap before its end'],
      ...(missing > maxMissing && {
        knownLimit: `what waited for the journal is lost: ${mebibytes} of the last ${ms} ms`,
      }),
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
