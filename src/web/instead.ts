/** What remembers, over windows. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The ids of the commands that a manifest declares. */
export function declaredCommands(manifest: unknown): readonly string[] {
  const { contributes } = manifest as { readonly contributes: { readonly commands: readonly { command: string }[] } };
  return contributes.commands.map(({ command }) => command);
}

/** Whether it was told before; from now on it was. */
export function toldOnce(memory: Memory, key: string): boolean {
  if (memory.get(key) === true) return true;
  void memory.update(key, true);
  return false;
}
