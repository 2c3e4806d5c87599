import { oneLine } from '../../../log/text';
import type { WireMessage } from '../../../wire/wireEvent';
import { BoundedMap } from '../../../log/boundedMap';
import type { JsonObject, RequestId } from '../../../log/json';
import { arrayOf, isObject, textOf } from '../../../log/json';
import type { ExchangeText } from '../../jsonrpc/exchangeText';
import type { PromptQueue } from './promptQueue';
import type { Subagents } from '../subagents/subagents';
import { describeEnd, describeState } from '../v2/stateUpdate';

/** Receives the records of one line. */
export interface Teller {
  readonly event: WireMessage;
  readonly tell: (text: ExchangeText, sessionId: string | undefined) => void;
}

/** Closes a prompt whose turn ended with this update. */
export type EndPrompt = (event: WireMessage, id: RequestId, update: JsonObject) => void;

const maxSessions = 1000;
const maxItems = 100;

/** Work in the background of a session, with its display name. */
export interface BackgroundItem {
  readonly id: string;
  readonly title: string;
  /** Also announced as a subagent. */
  readonly isSubagent: boolean;
}

interface Background {
  readonly items: readonly BackgroundItem[];
  /** Those that facts exist of. */
  told: readonly BackgroundItem[];
}

interface BackgroundChange {
  readonly ended: readonly BackgroundItem[];
  readonly started: readonly BackgroundItem[];
}

/** Creates the records of `state_update`: ended turns, unprompted turns, background work. */
export class StateUpdates {
  /** When sessions started working without a prompt. */
  private readonly unprompted = new BoundedMap<string, number>(maxSessions);
  private readonly background = new BoundedMap<string, Background>(maxSessions);

  constructor(
    private readonly prompts: PromptQueue,
    private readonly subagents: Subagents,
    private readonly endPrompt: EndPrompt,
    /** Returns the display name of a list item. */
    private readonly nameOf: (sessionId: string, item: JsonObject) => string,
  ) {}

  /** @param update a `state_update`, or the state in a `subagent_update` */
  stateChanged(teller: Teller, sessionId: string, update: JsonObject, isReplay: boolean): void {
    const { event, tell } = teller;
    const isNews = this.subagents.changeState(sessionId, update);
    if (isReplay) return tell(describeState(update), sessionId);
    this.listBackground(teller, sessionId, update);
    if (update['state'] === 'running') {
      const isStart = !this.prompts.isBusy(sessionId);
      if (isStart) this.unprompted.set(sessionId, event.t);
      this.prompts.begun(sessionId, true);
      const isOwn = isStart && !this.subagents.get(sessionId);
      return tell(isOwn ? startedByItself : describeState(update), sessionId);
    }
    const startedAt = this.unprompted.get(sessionId);
    const ended = update['state'] === 'idle' ? this.prompts.idle(sessionId, update) : [];
    for (const id of ended) this.endPrompt(event, id, update);
    if (update['state'] === 'idle') this.unprompted.delete(sessionId);
    if (ended.length > 0) return;
    if (update['state'] === 'idle' && startedAt !== undefined) {
      return tell(describeEnd(update, event.t - startedAt), sessionId);
    }
    const text = describeState(update);
    tell(isNews ? text : { ...text, level: 'debug' }, sessionId);
  }

  /** Forgets what was running when the process ended. */
  clear(): void {
    this.unprompted.clear();
    this.background.clear();
  }

  /** What has changed in the list of a session's background work since the last call. */
  takeBackground(sessionId: string): BackgroundChange {
    const known = this.background.get(sessionId);
    if (!known) return { ended: [], started: [] };
    const { items, told } = known;
    known.told = items;
    return { ended: without(told, items), started: without(items, told) };
  }

  /** A list replaces the previous one. A missing or malformed list changes nothing. */
  private listBackground({ tell }: Teller, sessionId: string, { background }: JsonObject): void {
    if (!Array.isArray(background)) return;
    const items = arrayOf(background)
      .slice(0, maxItems)
      .filter(isObject)
      .map((item) => this.itemOf(sessionId, item));
    const { items: before, told } = this.background.get(sessionId) ?? { items: [], told: [] };
    if (items.map(({ id }) => id).join('\n') === before.map(({ id }) => id).join('\n')) return;
    this.background.set(sessionId, { items, told });
    const names = items.map(({ title }) => title).join(', ');
    const message = items.length === 0 ? 'no background work left' : `in the background: ${oneLine(names, 500)}`;
    tell({ level: 'info', logger: 'background', message }, sessionId);
  }

  private itemOf(sessionId: string, item: JsonObject): BackgroundItem {
    const childId = textOf(item['sessionId']);
    const id = childId ?? textOf(item['terminalId']) ?? textOf(item['toolCallId']) ?? textOf(item['taskId']);
    const title = oneLine(childId === undefined ? this.nameOf(sessionId, item) : this.subagents.nameOf(childId), 200);
    return {
      id: `${textOf(item['type']) ?? ''} ${id ?? title}`.slice(0, 200),
      title,
      isSubagent: childId !== undefined,
    };
  }
}

function without(items: readonly BackgroundItem[], others: readonly BackgroundItem[]): readonly BackgroundItem[] {
  return items.filter(({ id }) => !others.some((other) => other.id === id));
}

const startedByItself = { level: 'info', logger: 'turn', message: 'started without a prompt' } as const;
