// Exports many sessions to a collector that fails again and again, with a command that is killed once: `npm run test:soak -- -g export`.
//   AGENT_LOGS_SESSIONS=1000   fewer sessions (default: 10,000)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resultOf, useCli } from '../support/cli';
import { makeManySessions } from '../support/manySessions';
import type { Answer } from '../support/otlpReceiver';
import { OtlpReceiver } from '../support/otlpReceiver';
import { printTable } from '../support/printTable';
import { savedHomeEnv } from '../support/savedHome';

const count = Number(process.env['AGENT_LOGS_SESSIONS'] ?? 10_000);
const maxMemory = 256;

/** All answered by the exporter within some seconds, except the last, which ends the command. */
const faults: readonly Answer[] = [
  { status: 429, retryAfter: '1' },
  'cut',
  { status: 503 },
  { status: 502 },
  { status: 507, body: 'no space left on device' },
];

const taken: Answer = { status: 200 };

interface Go {
  readonly code: number | null;
  readonly line: string;
  /** Highest resident memory, in MiB. */
  readonly memory: number;
  readonly seconds: number;
}

describe(`export of ${count} sessions`, function () {
  this.timeout(3_600_000);
  const cli = useCli();
  let home: string;
  let receiver: OtlpReceiver;
  before(async () => {
    home = cli.newFolder();
    await mkdir(home);
    makeManySessions(home, { count, now: Date.now() - 3_600_000 });
    receiver = await OtlpReceiver.start();
  });
  after(() => receiver.close());

  async function go(killAfter?: number): Promise<Go> {
    const begun = Date.now();
    const env = { ...savedHomeEnv(home), OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
    const child = cli.start(['export', '--otlp', `http://127.0.0.1:${receiver.port}`], env);
    let memory = 0;
    const meter = setInterval(() => (memory = Math.max(memory, memoryOf(child.pid))), 50);
    if (killAfter !== undefined) {
      void receiver.until(({ requests }) => requests.length >= killAfter).then(() => child.kill('SIGKILL'));
    }
    const { code, stdout, stderr } = await resultOf(child);
    clearInterval(meter);
    const line = stdout.toString().trim() || stderr.trim();
    return { code, line, memory, seconds: (Date.now() - begun) / 1000 };
  }

  it('loses and doubles nothing, within 256 MiB', async () => {
    const gos: Go[] = [];
    // A fault after each three requests that are taken.
    const faulty = faults.flatMap((fault): readonly Answer[] => [taken, taken, taken, fault]);
    receiver.answers = Array.from({ length: 8 }, () => faulty).flat();
    gos.push(await go(20));
    while (gos.at(-1)?.code !== 0 && gos.length < 30) gos.push(await go());
    gos.push(await go());
    printTable([
      ['Exit', 'Seconds', 'MiB', 'Last line'],
      ...gos.map(({ code, line, memory, seconds }) => [String(code), seconds.toFixed(1), memory.toFixed(0), line]),
    ]);
    const uids = receiver.logs.map(({ attributes }) => attributes['log.record.uid']);
    const spans = receiver.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    const sessions = new Set(receiver.logs.map(({ resource }) => resource['service.instance.id'])).size;
    const doubled = uids.length - new Set(uids).size + spans.length - new Set(spans).size;
    console.log(`${sessions} sessions, ${uids.length} records, ${spans.length} spans; ${doubled} came twice`);
    assert.equal(sessions, count);
    // When it was killed, at most one request was on its way.
    assert.ok(doubled <= 512, String(doubled));
    assert.match(gos.at(-1)?.line ?? '', new RegExp(`records 0\\. Sent before ${count}, rejected 0, left 0\\.$`));
    const turns = receiver.spans.filter(({ attributes }) => attributes['agent_logs.kind'] === 'turn');
    assert.ok(new Set(turns.map(({ spanId }) => spanId)).size >= count);
    for (const { memory } of gos) assert.ok(memory < maxMemory, `${memory} MiB`);
  });
});

/** Resident memory, in MiB; 0 where the system doesn't say. */
function memoryOf(pid = 0): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
