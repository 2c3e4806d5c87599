import { BoundedMap } from '../../text/boundedMap';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { isBeginning } from '../../protocols/lifecycle';
import type { EquipmentFact, NoticeFact } from '../../work/activity';
import type { NotificationFact, ProcessFact, SaidLine, StderrFact } from '../../work/facts';
import { logLine } from '../conversation/troubles';
import { readServerTrouble, serversReadyIn } from '../failures/serverTrouble';
import { standing } from '../diagnosis';
import type { Findings, Found, Rule } from '../rule';

const maxServers = 200;

/** MCP servers that an agent couldn't start: it goes on without their tools. */
export class McpServers implements Rule {
  /** Those that were reported, by name. */
  private readonly reported = new BoundedMap<string, true>(maxServers);

  process({ event }: ProcessFact): undefined {
    if (isBeginning(event)) this.reported.clear();
  }

  stderr({ entry }: StderrFact): Findings {
    return entry.said.flatMap((line) => this.judge(line));
  }

  notice({ text }: NoticeFact): Findings {
    return this.judge({ message: text, text });
  }

  notification({ dir, role, params }: NotificationFact): Findings {
    if (dir !== 'a2c' || role !== 'log') return undefined;
    return this.judge(logLine(params));
  }

  equipment({ servers }: EquipmentFact): Findings {
    return servers.flatMap(({ name, state }) => {
      if (state === 'connected') return this.settled([name]);
      return state === 'failed' ? this.found([name], t('MCP server `{0}` failed to start', name)) : [];
    });
  }

  private judge(line: SaidLine): Found[] {
    const trouble = readServerTrouble(line);
    if (!trouble) {
      return this.reported.size === 0 ? [] : this.settled(serversReadyIn(line.message, this.reported.keys()));
    }
    const { servers, words } = trouble;
    const names = servers.map((name) => `\`${name}\``).join(', ');
    return this.found(
      servers,
      servers.length === 1
        ? t('MCP server {0} failed to start: {1}', names, words)
        : t('MCP servers {0} failed to start', names),
    );
  }

  /** A summary at the end of the start repeats what was reported. */
  private found(servers: readonly string[], what: Words): Found[] {
    const fresh = servers.filter((name) => !this.reported.has(name));
    for (const name of fresh) this.reported.set(name, true);
    const [first] = fresh;
    if (first === undefined) return [];
    return [
      {
        code: 'mcp-server-trouble',
        level: 'warning',
        what,
        cause: t('MCP server · {0}', fresh.join(', ')),
        advice: t("Its tools are missing. Run its command in a terminal, or raise the agent's limit for its start."),
        delivery: standing(subjectOf(first)),
        key: fresh.join(' '),
      },
    ];
  }

  private settled(servers: readonly string[]): Found[] {
    return servers
      .filter((name) => this.reported.has(name))
      .map((name) => {
        this.reported.delete(name);
        return {
          code: 'mcp-server-trouble',
          level: 'notice',
          what: t('MCP server `{0}` is connected', name),
          delivery: { type: 'settled', subject: subjectOf(name) },
        };
      });
  }
}

function subjectOf(server: string): string {
  return `MCP server ${server}`;
}
