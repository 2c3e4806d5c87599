import * as vscode from 'vscode';
import type { AgentDefinition } from '../../runs/config/launchSpec';
import { inputsOf } from '../../runs/config/launchSpec';
import { Cancelled } from '../../runs/waiting';

/** Values for `${input:NAME}` in definitions, such as the prompt of a command-line agent. */
export class InputValues {
  private readonly last = new Map<string, string>();

  /**
   * Asks for each value, and suggests the last one.
   * @param asksAgain whether to ask again for values already entered in this window
   * @throws Cancelled
   */
  async of(agent: AgentDefinition, asksAgain: boolean): Promise<Readonly<Record<string, string>>> {
    const given: Record<string, string> = {};
    for (const name of inputsOf(agent)) {
      const key = `${agent.name}:${name}`;
      const last = this.last.get(key);
      const value = last !== undefined && !asksAgain ? last : await ask(agent.name, name, last ?? '');
      this.last.set(key, value);
      given[name] = value;
    }
    return given;
  }
}

/** The values whose names look like secrets, such as `API_KEY`. */
export async function secretsAmong(named: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { secretKind } = await import('../../log/redact/names');
  return Object.entries(named).flatMap(([name, value]) => (secretKind(name) === undefined ? [] : [value]));
}

async function ask(agentName: string, name: string, proposed: string): Promise<string> {
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0}: {1}', agentName, name),
    value: proposed,
    password: (await secretsAmong({ [name]: '' })).length > 0,
  });
  if (value === undefined) throw new Cancelled();
  return value;
}
