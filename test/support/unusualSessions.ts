import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeLines } from './claudeLines';

const idOf = (n: number): string => `0c5f0f0e-0000-4000-8000-00000000000${n}`;

/** Sessions as people have them: one, its fork, one that was killed in a tool, one continued in two terminals at once. */
function sessions(): readonly (readonly object[])[] {
  const day = new Date().toISOString().slice(0, 10);
  const [plain, forked, cut, two] = [0, 1, 2, 3].map((n) => new ClaudeLines(idOf(n), day)) as [
    ClaudeLines,
    ClaudeLines,
    ClaudeLines,
    ClaudeLines,
  ];
  const copied = { forkedFrom: { sessionId: idOf(0) } };
  return [
    [plain.prompt('u1', 'Plan the bookshop'), plain.answer('u2', 'm1', [12_000, 300]), plain.end('u3')],
    [
      forked.prompt('u1', 'Plan the bookshop', copied),
      forked.answer('u2', 'm1', [12_000, 300], copied),
      forked.prompt('u4', 'Sell records instead of books'),
      forked.answer('u5', 'm2', [13_000, 200]),
      forked.end('u6'),
    ],
    [cut.prompt('u1', 'Run the slow tests'), cut.call('u2', 'm3', [9_000, 80])],
    [
      two.prompt('u1', 'Add a discount'),
      two.answer('u2', 'm4', [9_000, 80]),
      two.end('u3'),
      two.prompt('u4', 'Round it up'),
      two.call('u5', 'm5', [9_100, 90]),
      two.after('u3').prompt('u6', 'Write the test for it'),
      two.after('u5').result('u7', 'm5'),
      two.after('u6').answer('u8', 'm6', [9_200, 70]),
      two.after('u7').answer('u9', 'm7', [9_300, 60]),
    ],
  ];
}

/** Writes them to a home folder, one minute apart, the oldest first. */
export function makeUnusualSessions(home: string): void {
  const folder = join(home, '.claude/projects/-home-dev-shop');
  mkdirSync(folder, { recursive: true });
  for (const [n, lines] of sessions().entries()) {
    const path = join(folder, `${idOf(n)}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const at = new Date(Date.now() - (4 - n) * 60_000);
    utimesSync(path, at, at);
  }
}
