/** Takes secrets out of one line. */
export interface LineRedactor {
  line(text: string): string;
}

/** A command line without its secrets, which mostly are the value of the option before them: `--api-key …`. */
export function redactedCommand(command: readonly string[], redactor: LineRedactor): string[] {
  return command.map((word, index) => {
    const option = /^--?([\w-]+)$/.exec(command[index - 1] ?? '')?.[1];
    if (option === undefined || word.startsWith('-')) return redactor.line(word);
    const start = `${option}=`;
    const line = redactor.line(start + word);
    return line.startsWith(start) ? line.slice(start.length) : redactor.line(word);
  });
}
