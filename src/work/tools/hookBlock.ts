/** The hook that kept something from happening. */
export interface HookBlock {
  /** The agent's event, and what it is about: `PreToolUse:Bash`. */
  readonly name: string;
  /** In the hook's words; may be empty. */
  readonly reason: string;
}

/** How agents say that a hook blocked a tool call, in place of its result. */
const wordings: readonly RegExp[] = [
  // Claude Code: the command of the hook comes first if it failed.
  /^(?:Error: )?(?<name>\w+(?::[\w.*|-]+)?) hook error: (?:\[.*?\]: )?(?<reason>.*)$/s,
  // Codex: the command of the call comes last.
  /^(?:Command|Tool call) blocked by (?<name>\w+) hook: (?<reason>.*?)(?:\. (?:Command|Tool): .*)?$/s,
  // Copilot
  /^Denied by (?<name>\w+) hook(?:: (?<reason>.*))?$/s,
  // Gemini CLI; Qwen Code if the hook gives no reason.
  /^Tool execution (?:blocked|stopped)(?: by hook)?(?:: (?<reason>.*))?$/s,
];
/** Characters that are looked at. */
const maxText = 4000;

/** The hook that a tool call's result names, if it is nothing else. */
export function hookBlock(result: string): HookBlock | undefined {
  const text = result.slice(0, maxText).trim();
  for (const wording of wordings) {
    const groups = wording.exec(text)?.groups;
    if (groups === undefined) continue;
    const { name = 'BeforeTool', reason = '' } = groups;
    return { name, reason: reason.trim() };
  }
  return undefined;
}
