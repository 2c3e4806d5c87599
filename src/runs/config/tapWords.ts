/** The file name of the installed tap: not `.js`, because a package.json in a folder above may have "type": "module". */
export const tapFile = 'agent-logs.cjs';

/** The command line behind a tap; `undefined` if there is no tap in front of it. */
export function untapped(words: readonly string[]): readonly string[] | undefined {
  const [, program = '', command] = words;
  const split = words.indexOf('--');
  return command === 'tap' && program.endsWith(tapFile) && split > 0 && split < words.length - 1
    ? words.slice(split + 1)
    : undefined;
}
