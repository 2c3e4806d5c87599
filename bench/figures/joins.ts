import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredJoins } from '../subjects/joins';

/** Joining the tool calls of an agent with the requests to its MCP server, relative to reading both runs. */
export const joins: Figure = async ({ quick, rounds }) => {
  const subject = { name: 'ours', program: 'joins', args: [quick ? '1000' : '5000'] };
  const all = (await sideBySide<MeasuredJoins>([subject], rounds)).get('ours') ?? [];
  const share = median(all.map(({ joinMs, readMs }) => (100 * joinMs) / readMs));
  const details = all.map(({ calls, joined }) => `${joined} of ${calls} joined`).at(0);
  const again = median(all.map(({ againMs }) => againMs));
  return [
    atMost('joining calls with requests, of reading', share, 3, '%', details),
    atMost('the same, what is new since 100 calls', again, 50, 'ms'),
  ];
};
