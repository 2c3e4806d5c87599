import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** Command lines that end as if all were well, and have not printed a line: there was nothing that they were to do, as far as they know. */
export class SilentEnds implements Rule {
  see(seen: Seen, { silentSince, askedToEnd }: Conversation, report: Report): void {
    if (seen.type !== 'process' || seen.event.ev !== 'exit') return;
    if (seen.event.code !== 0 || silentSince === undefined || askedToEnd) return;
    report({
      code: 'agent-ended',
      level: 'warning',
      what: 'The agent exited without any output',
      advice:
        'Look at its arguments: they have to name a prompt, and JSON lines as its output. For one that waits to be spoken to, ' +
        'set "protocol" in agentLogs.agents to what it speaks, such as "acp".',
      at: seen.event.t,
    });
  }
}
