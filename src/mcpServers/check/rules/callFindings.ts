import { t } from '../../../text/translator';
import type { Finding } from './finding';
import type { ListingServer } from './listedTool';

/** A tool that fails this often, and in this share of its calls, isn't only called wrongly now and then. */
const minErrors = 3;
const minShare = 0.2;
/** Half of the time that clients made with the official library wait by default, in milliseconds. */
const slow = 30_000;
/** Fewer calls have no percentiles to speak of. */
const minCalls = 5;

/** What went wrong with the tools of a server in past runs. */
export function callFindings({ label: server, past = [] }: ListingServer): readonly Finding[] {
  return past.flatMap(({ tool, calls, errors, timeouts, p95 }): readonly Finding[] => {
    const common = { severity: 'warning', server, tools: [tool] } as const;
    return [
      ...(timeouts > 0
        ? [
            {
              ...common,
              code: 'timed-out' as const,
              message: t('Timed out in {0} of {1} past calls', timeouts, calls),
              advice: t("Look at its run while it waits, let it report progress, or raise the client's time-out."),
            },
          ]
        : []),
      ...(errors >= minErrors && errors >= calls * minShare
        ? [
            {
              ...common,
              code: 'failing-tool' as const,
              message: t('Failed in {0} of {1} past calls', errors, calls),
              advice: t('Read the errors in its runs: often a description or schema lets models call it wrongly.'),
            },
          ]
        : []),
      ...(timeouts === 0 && calls >= minCalls && p95 >= slow
        ? [
            {
              ...common,
              code: 'slow-tool' as const,
              message: t('The slowest 5 % of {0} past calls took {1} and more', calls, { ms: p95 }),
              advice: t('Many clients give up after 60 s: let it report progress, or return less at once.'),
            },
          ]
        : []),
    ];
  });
}
