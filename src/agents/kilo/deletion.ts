import type { Deletion } from '../deletion';
import { objectOf } from '../../text/json';

const usual = 30;

/** Kilo Code deletes sessions only if the user wants it, once a day. */
export const deletion: Deletion = {
  asOf: '7.7.9',
  rule: "deletes none, unless `retention.enabled` is set: then those that haven't changed for 30 days",
  age: {
    setting: 'retention.maxAgeDays',
    file: '~/.config/kilo/kilo.json',
    names: ['kilo.jsonc', 'kilo.json'],
    roots: [
      ['XDG_CONFIG_HOME', 'kilo'],
      ['~', '.config', 'kilo'],
    ],
    days(settings) {
      const { enabled, maxAgeDays: days } = objectOf(settings['retention']);
      if (enabled !== true) return undefined;
      return Number.isInteger(days) && Number(days) > 0 ? Number(days) : usual;
    },
  },
};
