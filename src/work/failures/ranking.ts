import type { FailureClass } from './failurePatterns';

/** The less a class says about the cause, the higher its number: of several things said about one failure, the lowest wins. */
const vagueness: Readonly<Partial<Record<FailureClass, number>>> = {
  // Many agents report any failure of a request as a missing login.
  authentication: 1,
  overloaded: 1,
  'missing-executable': 1,
  // They are the result of what else was said: a certificate, a proxy, a limit.
  network: 2,
  'mcp-server': 2,
  // A server that can't be reached is unavailable, too.
  unavailable: 3,
  aborted: 4,
  other: 5,
};

/** Whether the first class says more about the cause than the second. */
export function saysMore(one: FailureClass, other: FailureClass): boolean {
  return (vagueness[one] ?? 0) < (vagueness[other] ?? 0);
}

/** Failures on the way to the provider. */
export const ofConnection: ReadonlySet<FailureClass> = new Set<FailureClass>([
  'certificate',
  'clock',
  'proxy',
  'dns',
  'network',
]);
