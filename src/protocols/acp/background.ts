import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { SubagentFact } from '../../work/activity';
import { maxActivityId } from '../../work/activity';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { AcpSessions, Item } from './session';
import { keyOf } from './session';
import type { Subagents } from './subagents';

const maxItems = 100;

type ItemFact = Pick<SubagentFact, 'type' | 'change' | 'id' | 'title' | 'outcome'>;

interface BackgroundChange {
  readonly text?: ExchangeText;
  readonly facts: readonly ItemFact[];
}

const unchanged: BackgroundChange = { facts: [] };

/** The background work that sessions list in their `state_update`. */
export class Background {
  /** @param nameOf returns the display name of an item that isn't a subagent */
  constructor(
    private readonly sessions: AcpSessions,
    private readonly subagents: Subagents,
    private readonly nameOf: (sessionId: string, item: JsonObject) => string,
  ) {}

  /** The client cancels a terminal. */
  cancel(sessionId: string | undefined, terminalId: unknown): void {
    const id = textOf(terminalId);
    if (id === undefined || sessionId === undefined) return;
    this.sessions.thingsOf(sessionId).cancelled.set(cut(`terminal ${id}`), true);
  }

  /** Reads a list, which replaces the previous one. A missing or malformed list changes nothing. */
  read(sessionId: string, { background }: JsonObject): BackgroundChange {
    if (!Array.isArray(background)) return unchanged;
    const items = arrayOf(background)
      .slice(0, maxItems)
      .filter(isObject)
      .map((item) => this.itemOf(sessionId, item));
    const session = this.sessions.of(sessionId);
    const before = session.background;
    if (items.map(({ id }) => id).join('\n') === before.map(({ id }) => id).join('\n')) return unchanged;
    session.background = items;
    const names = items.map(({ title }) => title).join(', ');
    const message = items.length === 0 ? 'no background work left' : `in the background: ${oneLine(names, 500)}`;
    const { cancelled } = this.sessions.thingsOf(sessionId);
    const ended = without(before, items).map(({ id, title }): ItemFact => {
      const outcome = cancelled.has(cut(id)) ? 'cancelled' : undefined;
      return { type: 'subagent', change: 'ended', id, title, outcome };
    });
    const started = without(items, before).flatMap(({ id, title, isSubagent }): ItemFact[] =>
      isSubagent ? [] : [{ type: 'subagent', change: 'started', id, title }],
    );
    return { text: { level: 'info', logger: 'background', message }, facts: [...ended, ...started] };
  }

  private itemOf(sessionId: string, item: JsonObject): Item {
    const childId = textOf(item['sessionId']);
    const id = childId ?? textOf(item['terminalId']) ?? textOf(item['toolCallId']) ?? textOf(item['taskId']);
    const title = oneLine(childId === undefined ? this.nameOf(sessionId, item) : this.subagents.nameOf(childId), 200);
    return {
      id: `${textOf(item['type']) ?? ''} ${id ?? title}`.slice(0, maxActivityId),
      title,
      isSubagent: childId !== undefined,
    };
  }
}

function without(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  return items.filter(({ id }) => !others.some((other) => other.id === id));
}

function cut(item: string): string {
  return keyOf(item.slice(0, maxActivityId));
}
