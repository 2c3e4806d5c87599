import { arrayOf, isObject, objectOf, textOf } from '../protocols/json';
import type { JsonObject } from '../protocols/json';

/** How a command ended, in whichever of the places where agents put it. */
export function exitCodeOf(update: JsonObject): number | undefined {
  const output = objectOf(update['rawOutput']);
  const meta = objectOf(update['_meta']);
  const places = [
    output['exitCode'],
    output['exit_code'],
    output['returncode'],
    objectOf(output['metadata'])['exit'],
    objectOf(output['metadata'])['exitCode'],
    objectOf(output['metadata'])['exit_code'],
    objectOf(meta['terminal_exit'])['exit_code'],
    objectOf(update['exitStatus'])['exitCode'],
  ];
  return places.find((code): code is number => typeof code === 'number' && Number.isInteger(code));
}

/** What a tool's raw output calls an error, if it does. */
export function outputError(output: unknown): string | undefined {
  if (!isObject(output)) return undefined;
  const error = output['error'];
  const told = textOf(error) ?? textOf(objectOf(error)['message']);
  if (told !== undefined) return told;
  if (isObject(error) && Object.keys(error).length > 0) return 'an error without a message';
  if (output['isError'] !== true && output['is_error'] !== true && output['success'] !== false) return undefined;
  return (
    textOf(output['message']) ??
    textOf(output['output']) ??
    contentTextOf(output['content']) ??
    'an error without a message'
  );
}

/** The text of a list of content blocks, of MCP's form or ACP's. */
export function contentTextOf(content: unknown): string | undefined {
  if (typeof content === 'string') return textOf(content);
  const text = arrayOf(content)
    .slice(0, 20)
    .map((block) => textOf(block) ?? blockText(objectOf(block)))
    .join(' ')
    .trim();
  return textOf(text);
}

function blockText({ text, content }: JsonObject): string {
  return textOf(text) ?? textOf(objectOf(content)['text']) ?? textOf(content) ?? '';
}

/** Whether a tool failed because somebody would not have it run. */
export function tellsOfRejection(text: string): boolean {
  return /\b(?:user|person|client) (?:rejected|denied|declined|refused|doesn['’]t want)\b|\brejected (?:by the user|permission)\b|\bpermission (?:was )?(?:rejected|denied) by\b/i.test(
    text.slice(0, 500),
  );
}
