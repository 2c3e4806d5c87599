import { buildProduction } from '../harness/bundle';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { bundleHost, hostRun } from '../harness/hostRun';
import { median } from '../harness/sideBySide';
import type { MeasuredHost } from '../host/index';

/** The effect of a flood on the extension host of a real VS Code, with output channel and tree visible. */
export const host: Figure = async ({ quick, rounds }) => {
  buildProduction('.');
  await bundleHost();
  const all: MeasuredHost[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    all.push(await hostRun<MeasuredHost>('index', { AGENT_LOGS_BENCH_SECONDS: quick ? '1' : '10' }));
  }
  const of = (value: (one: MeasuredHost) => number): number => median(all.map(value));
  const ms = (value: (one: MeasuredHost) => number): string => `${of(value).toFixed(1)} ms`;
  const rate = of(({ messages, floodMs }) => messages / floodMs);
  const flood = `100,000 messages a second asked for, ${rate.toFixed(0)}k/s came`;
  return [
    atMost(
      'memory of an idle window, above one without the extension',
      of(({ windowBytes }) => windowBytes) / 1024 ** 2,
      10,
      'MB',
    ),
    atMost('memory of an idle agent', of(({ agentBytes }) => agentBytes) / 1024 ** 2, 1, 'MB', 'the mean of ten'),
    atMost(
      'event loop, p99',
      of((one) => one.flood.p99),
      rounded(2 * of((one) => one.idle.p99)),
      'ms',
      `${flood}; idle ${ms((one) => one.idle.p99)}`,
    ),
    atMost(
      'event loop, longest',
      of((one) => one.flood.max),
      50,
      'ms',
      `idle ${ms((one) => one.idle.max)}`,
    ),
    atMost(
      'a keystroke and back, p99',
      of((one) => one.flood.keystrokeP99),
      rounded(1.3 * of((one) => one.idle.keystrokeP99)),
      'ms',
      `median ${ms((one) => one.flood.keystrokeMedian)}; idle ${ms((one) => one.idle.keystrokeMedian)}, p99 ${ms((one) => one.idle.keystrokeP99)}`,
    ),
    atMost(
      'output channel current after a flood',
      of(({ currentMs }) => currentMs),
      500,
      'ms',
    ),
  ];
};

/** A goal that depends on the idle window, to a tenth. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
