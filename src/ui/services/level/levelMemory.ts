import type { Memento } from 'vscode';
import type { Threshold } from '../../../text/level';
import { isThreshold } from '../../../text/level';
import { isObject } from '../../../text/json';
import type { AgentDefinition } from '../../../live/config/launchSpec';

const key = 'levels';

interface Chosen {
  readonly level: Threshold;
  /** The configured level at that time. */
  readonly instead: Threshold;
}

/** Remembers the level that the person chose for each agent, across reloads, until the agent's configured level changes. */
export class LevelMemory {
  constructor(
    private readonly state: Memento,
    private readonly configuration: { readonly level: Threshold },
  ) {}

  levelOf(agent: AgentDefinition): Threshold {
    const configured = agent.level ?? this.configuration.level;
    const chosen = this.chosen()[agent.name];
    return chosen?.instead === configured ? chosen.level : configured;
  }

  async choose(agent: AgentDefinition, level: Threshold): Promise<void> {
    const instead = agent.level ?? this.configuration.level;
    await this.state.update(key, { ...this.chosen(), [agent.name]: { level, instead } satisfies Chosen });
  }

  private chosen(): Readonly<Record<string, Chosen | undefined>> {
    const stored = this.state.get<unknown>(key);
    if (!isObject(stored)) return {};
    return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, Chosen] => isChosen(entry[1])));
  }
}

function isChosen(value: unknown): value is Chosen {
  return isObject(value) && isThreshold(value['level']) && isThreshold(value['instead']);
}
