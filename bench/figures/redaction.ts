import { chinese, code, plainLogs, recordings } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { againstOlder, median, sideBySide, withOlder } from '../harness/sideBySide';
import type { MeasuredRedaction } from '../subjects/redaction';

const corpora = { recordings, 'stderr logs': plainLogs, code, Chinese: chinese };

/** Texts that don't come in floods, which are redacted as strings. */
export const redaction: Figure = async ({ rounds, against }) => {
  const rows: Row[] = [];
  for (const [name, corpus] of Object.entries(corpora)) {
    const subject = { name, program: 'redaction', args: [corpus()] };
    const runs = await sideBySide<MeasuredRedaction>(withOlder(subject, against), rounds);
    const ours = runs.get(name) ?? [];
    const perByte = median(ours.map(({ cpuMs, bytes }) => (cpuMs * 1e6) / bytes));
    rows.push({
      ...atMost(`text redacted, ${name}`, perByte, 8, 'ns a byte', `${ours[0]?.lines} lines`),
      ...againstOlder(runs, name, 1.6),
    });
  }
  return rows;
};
