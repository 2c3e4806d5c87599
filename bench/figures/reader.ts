import { largePayloads, logs, longLine } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atLeast } from '../harness/figure';
import type { Subject } from '../harness/sideBySide';
import { againstOlder, median, ratio, requireSame, sideBySide, withOlder } from '../harness/sideBySide';

/** Our reader compared with the minimum cost of reading, for ordinary and for unusual lines. */
export const reader: Figure = async ({ quick, rounds, against }) => {
  const count = quick ? 100_000 : 1_000_000;
  const all = ['--max-line', String(1024 ** 3)];
  return [
    await compare('the reader alone, a pipe', 1.5, rounds, { files: [logs(count)] }, [], against),
    await compare('the reader and the fields of log messages, a pipe', 1.5, rounds, { files: [logs(count)] }, [
      '--fields',
    ]),
    await compare('the reader alone, payloads of 64 KiB', 0.67, rounds, { files: [largePayloads(quick ? 500 : 5000)] }),
    await compare('the reader alone, a line of 64 MiB', 0.67, rounds, { files: [longLine(64 * 1024 ** 2)] }, all),
    await compare('the reader alone, chunks of 1 byte', 0.67, rounds, { args: ['--chunks', '1', logs(20_000)] }),
  ];
};

async function compare(
  what: string,
  goal: number,
  rounds: number,
  on: Partial<Subject>,
  own: readonly string[] = [],
  against?: string,
): Promise<Row> {
  const args = on.args ?? [];
  const runs = await sideBySide(
    [
      { name: 'scan', program: 'bareScan', ...on },
      ...withOlder({ name: 'reader', program: 'reader', ...on, args: [...args, ...own] }, against),
    ],
    rounds,
  );
  requireSame(runs);
  const [ours, scan] = [runs.get('reader') ?? [], runs.get('scan') ?? []];
  const seconds = (of: typeof ours): string => (median(of.map(({ ms }) => ms)) / 1000).toFixed(2);
  const details = `${seconds(ours)} s; a bare scan with JSON.parse ${seconds(scan)} s`;
  const row = atLeast(what, ratio(ours, scan), goal, details, ratio(ours, scan, 'cpuMs'));
  return { ...row, ...againstOlder(runs, 'reader', 1.8) };
}
