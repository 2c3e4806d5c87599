/** Storage across windows. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The IDs of the commands in a manifest. */
export function declaredCommands(manifest: unknown): readonly string[] {
  const { contributes } = manifest as { readonly contributes: { readonly commands: readonly { command: string }[] } };
  return contributes.commands.map(({ command }) => command);
}

/** Whether the message was already shown. Marks it as shown. */
export function toldOnce(memory: Memory, key: string): boolean {
  if (memory.get(key) === true) return true;
  void memory.update(key, true);
  return false;
}
