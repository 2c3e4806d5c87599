import { framedLogs, logs } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atLeast, atMost } from '../harness/figure';
import type { Measured } from '../subjects/meter';
import { median, ratio, requireSame, sideBySide } from '../harness/sideBySide';

/** A message from end to end, compared with libraries whose clients only receive it. */
export const wholeWay: Figure = async ({ quick, rounds }) => {
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
      { name: 'ours', program: 'wholeWay', files },
      { name: 'acp', program: 'acpSdk', files },
      { name: 'alert', program: 'wholeWay', files, args: ['--alert=needle'] },
      { name: 'below', program: 'wholeWay', files, args: ['--asked=emergency'] },
      { name: 'unasked', program: 'wholeWay', files, args: ['--asked=none'] },
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
  const against = (of: typeof runs, peer: string, name: string, goal: number): Row => {
    const [ours, theirs] = [of.get('ours') ?? [], of.get(peer) ?? []];
    const rate = (all: typeof ours): string => `${Math.round(count / median(all.map(({ ms }) => ms)))}k/s`;
    const details = `${rate(ours)}; ${name} ${rate(theirs)}`;
    return atLeast(
      `the whole way, against receiving with ${name}`,
      ratio(ours, theirs),
      goal,
      details,
      ratio(ours, theirs, 'cpuMs'),
    );
  };
  const byCpu = (what: string, ours: readonly Measured[] | undefined): Row => {
    const goal = 1.2;
    const shown = `as much as ${ratio(ours, runs.get('ours'), 'cpuMs').toFixed(2)} shown ones`;
    return atLeast(`the whole way by CPU time, ${what}`, ratio(ours, runs.get('acp'), 'cpuMs'), goal, shown);
  };
  const [plain, alerted] = [runs.get('ours'), runs.get('alert')];
  return [
    atLeast(
      'the whole way with an alert for a text, against none',
      ratio(alerted, plain),
      0.85,
      'one record in 1000 matches',
      ratio(alerted, plain, 'cpuMs'),
    ),
    against(runs, 'acp', 'the ACP SDK', 1.1),
    byCpu('every message below the level', runs.get('below')),
    byCpu('no message asked for', runs.get('unasked')),
    against(slow, 'json-rpc', 'vscode-jsonrpc', 3),
    against(slow, 'mcp', 'the MCP SDK', 5),
  ];
};

/** Memory after many messages, with default limits. */
export const memory: Figure = async ({ quick }) => {
  const million = logs(quick ? 100_000 : 1_000_000);
  const five = [million, million, million, million, million];
  const runs = await sideBySide([{ name: 'ours', program: 'wholeWay', files: five }], 1);
  const [run] = runs.get('ours') ?? [];
  if (!run) throw new Error('nothing was measured');
  const mb = (bytes: number): number => bytes / 1024 / 1024;
  const details = `${run.messages} messages; idle ${mb(run.idleRss).toFixed(0)} MB, at most ${mb(run.peakRss).toFixed(0)} MB resident`;
  return [atMost('memory above idle', mb(run.peakRss - run.idleRss), 100, 'MB', details)];
};
