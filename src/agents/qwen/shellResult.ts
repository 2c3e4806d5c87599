import { numberIn } from '../reading/saved/parts';

/** Reads the form in which the model gets a command's result. */
export function shellResult(text: string): { readonly output: string; readonly exitCode: number } | undefined {
  const [output, exit] = [text.indexOf('\nOutput: '), text.lastIndexOf('\nExit Code: ')];
  const error = text.lastIndexOf('\nError: ', exit);
  const exitCode = numberIn(text.slice(exit, exit + 24), /^\nExit Code: (\d{1,10})\n/);
  const isWhole = text.startsWith('Command: ') && output >= 0 && error >= output && exitCode !== undefined;
  return isWhole ? { output: text.slice(output + '\nOutput: '.length, error), exitCode } : undefined;
}
