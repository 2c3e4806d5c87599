import type { Rule } from '../rule';

/** Command lines that end as if all were well, and have not printed a line: there was nothing that they were to do, as far as they know. */
export const silentEnds: Rule = {
  process({ event }, { silentSince, askedToEnd }) {
    if (event.ev !== 'exit' || event.code !== 0 || silentSince === undefined || askedToEnd) return undefined;
    return {
      code: 'agent-ended',
      level: 'warning',
      what: 'The agent exited without any output',
      advice:
        'Look at its arguments: they have to name a prompt, and JSON lines as its output. For one that waits to be spoken to, ' +
        'set "protocol" in agentLogs.agents to what it speaks, such as "acp".',
    };
  },
};
