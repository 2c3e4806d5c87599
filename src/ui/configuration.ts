import * as vscode from 'vscode';
import type { Threshold } from '../log/level';
import { isThreshold } from '../log/level';
import type { AgentDefinitions } from '../runs/agentDefinition';
import { agentDefinitions } from '../runs/agentDefinition';
import { Disposables } from './disposables';
import { prefix } from './ids';

/** The settings, with every value checked: nobody else calls `getConfiguration`. */
export class Configuration {
  private readonly disposables = new Disposables();
  private readonly changeEmitter = this.disposables.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changeEmitter.event;

  constructor() {
    this.disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(prefix)) this.changeEmitter.fire();
      }),
    );
  }

  get agents(): AgentDefinitions {
    return agentDefinitions(this.get('agents'));
  }

  /** The level that agents start with, where neither they nor the person say another. */
  get level(): Threshold {
    const level = this.get('level');
    return isThreshold(level) ? level : 'info';
  }

  get showsActivity(): boolean {
    return this.get('activity.show') !== false;
  }

  get showsWire(): boolean {
    return this.get('wire.show') === true;
  }

  /** Whether every permission that an agent asks for is refused without asking the person. */
  get rejectsPermissions(): boolean {
    return this.get('permissions') === 'reject';
  }

  /** In milliseconds. */
  get initializeTimeout(): number {
    return this.number('initializeTimeout', 60, 1, 86_400) * 1000;
  }

  /** How much memory the records of one run may take, in bytes. */
  get maxMemory(): number {
    return this.number('store.maxMemory', 64, 1, 4096) * 1024 * 1024;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private number(name: string, otherwise: number, minimum: number, maximum: number): number {
    const value = this.get(name);
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(maximum, Math.max(minimum, value))
      : otherwise;
  }

  private get(name: string): unknown {
    return vscode.workspace.getConfiguration(prefix).get<unknown>(name);
  }
}
