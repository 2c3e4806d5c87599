import { hasSqlite } from '../../support/databases';
import { checkGrowing, longPrompt } from '../checkGrowing';
import type { RealAgent } from '../realAgent';
import { jsonStreams } from './jsonStreams';
import { kimiPrint } from './kimiPrint';
import { opencodeRun } from './opencodeRun';

const opencode: RealAgent = {
  ...opencodeRun,
  name: 'opencode-growing',
  args: ['run', '--format', 'json', longPrompt],
  scenarios: [
    {
      name: 'turn',
      ...(!hasSqlite && { unable: 'its database needs Node.js 22.15 or later, also for these tests' }),
      play: (trial) => checkGrowing(trial, 'opencode'),
    },
  ],
};
const cline = jsonStreams.filter(({ name }) => name === 'cline-json');

/** Command lines whose saved sessions are followed while a tool runs. */
export const growing: readonly RealAgent[] = [
  {
    ...kimiPrint,
    name: 'kimi-growing',
    args: ['-p', longPrompt, '--output-format', 'stream-json'],
    scenarios: [{ name: 'turn', play: (trial) => checkGrowing(trial, 'kimi') }],
  },
  opencode,
  ...cline.map((agent): RealAgent => ({
    ...agent,
    name: 'cline-growing',
    installedWith: agent.name,
    args: ['--json', longPrompt],
    scenarios: [{ name: 'turn', play: (trial) => checkGrowing(trial, 'cline') }],
  })),
];
