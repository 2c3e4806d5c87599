import type { Deletion } from '../deletion';

const usual = 30;

/** Claude Code deletes transcripts when it starts, by the time of their files. */
export const deletion: Deletion = {
  asOf: '2.1.332',
  rule: "deletes those that haven't changed for 30 days",
  age: {
    setting: 'cleanupPeriodDays',
    file: '~/.claude/settings.json',
    names: ['settings.json'],
    // With a value that it refuses, such as 0, it deletes nothing.
    days: ({ cleanupPeriodDays: days = usual }) =>
      Number.isInteger(days) && Number(days) > 0 ? Number(days) : undefined,
  },
};
