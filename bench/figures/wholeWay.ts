import { framedLogs, logs } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atLeast, atMost } from '../harness/figure';
import type { Measured } from '../subjects/meter';
import { againstOlder, median, ratio, requireSame, sideBySide, withOlder } from '../harness/sideBySide';

/** A message from end to end, compared with libraries whose clients only receive it. */
export const wholeWay: Figure = async ({ quick, rounds, against: older }) => {
  const count = quick ? 100_000 : 1_000_000;
  const files = [logs(count)];
  // Checks that nothing is lost: once, untimed, with all texts read again. Timed runs check only the number of messages.
  requireSame(
    await sideBySide(
      [
        { name: 'acp', program: 'acpSdk', files },
        { name: 'ours', program: 'wholeWay', files, args: ['--read-all'] },
      ],
      1,
    ),
  );
  const runs = await sideBySide(
    [
      ...withOlder({ name: 'ours', program: 'wholeWay', files }, older),
      { name: 'acp', program: 'acpSdk', files },
      { name: 'alert', program: 'wholeWay', files, args: ['--alert=needle'] },
      ...withOlder({ name: 'below', program: 'wholeWay', files, args: ['--asked=emergency'] }, older),
      ...withOlder({ name: 'unasked', program: 'wholeWay', files, args: ['--asked=none'] }, older),
    ],
    rounds,
  );
  // Fewer turns, because these are slow.
  const slow = await sideBySide(
    [
      { name: 'ours', program: 'wholeWay', files },
      { name: 'json-rpc', program: 'jsonRpc', files: [framedLogs(count)], args: [String(count)] },
      { name: 'mcp', program: 'mcpSdk', files, args: [String(count)] },
    ],
    Math.min(rounds, 3),
  );
  requireSame(runs, 'messages');
  requireSame(slow, 'messages');
  const rate = (all: readonly Measured[]): string => `${Math.round(count / median(all.map(({ ms }) => ms)))}k/s`;
  const against = (of: typeof runs, peer: string, name: string, goal: number): Row => {
    const [ours, theirs] = [of.get('ours') ?? [], of.get(peer) ?? []];
    const details = `${rate(ours)}; ${name} ${rate(theirs)}`;
    return atLeast(
      `the whole way, against receiving with ${name}`,
      ratio(ours, theirs),
      goal,
      details,
      ratio(ours, theirs, 'cpuMs'),
    );
  };
  const byCpu = (what: string, name: string, goal: number, details: string): Row => {
    const speed = ratio(runs.get(name), runs.get('acp'), 'cpuMs');
    return {
      ...atLeast(`the whole way by CPU time, ${what}`, speed, goal, details),
      ...againstOlder(runs, name, 1.6),
    };
  };
  const asShown = (ours: readonly Measured[] | undefined): string =>
    `as much as ${ratio(ours, runs.get('ours'), 'cpuMs').toFixed(2)} shown ones`;
  const [plain, alerted, below, unasked] = ['ours', 'alert', 'below', 'unasked'].map((name) => runs.get(name) ?? []);
  const acp = runs.get('acp') ?? [];
  const time = `by time ${ratio(plain, acp).toFixed(2)} ×: ${rate(plain ?? [])}; the ACP SDK ${rate(acp)}`;
  return [
    atLeast(
      'the whole way with an alert for a text, against none',
      ratio(alerted, plain),
      0.85,
      'one record in 1000 matches',
      ratio(alerted, plain, 'cpuMs'),
    ),
    byCpu('against receiving with the ACP SDK', 'ours', 1.4, time),
    byCpu('every message below the level', 'below', 1.2, asShown(below)),
    byCpu('no message asked for', 'unasked', 1.2, asShown(unasked)),
    against(slow, 'json-rpc', 'vscode-jsonrpc', 3),
    against(slow, 'mcp', 'the MCP SDK', 5),
  ];
};

/** Memory at its peak, with default limits: it may not grow with the run. Peaks vary by a tenth, so these are medians. */
export const memory: Figure = async ({ quick, rounds }) => {
  const million = logs(quick ? 100_000 : 1_000_000);
  const runs = await sideBySide(
    [1, 10].map((times) => ({
      name: String(times),
      program: 'wholeWay',
      files: Array.from({ length: times }, () => million),
    })),
    Math.min(rounds, 3),
  );
  const aboveIdle = (times: number): readonly number[] =>
    (runs.get(String(times)) ?? [])
      .map(({ peakRss, idleRss }) => (peakRss - idleRss) / 1024 / 1024)
      .sort((a, b) => a - b);
  const [one, ten] = [aboveIdle(1), aboveIdle(10)];
  const all = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ');
  const messages = quick ? '1 million' : '10 million';
  return [
    atMost('memory above idle', median(ten), 90, 'MB', `${messages} messages`),
    atMost(
      'memory above idle of ten times as many messages',
      median(ten) / median(one),
      1.1,
      '×',
      `${all(ten)} MB, a tenth of them ${all(one)} MB`,
    ),
  ];
};
