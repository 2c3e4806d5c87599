import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { SessionCommand } from '../interpreter';

/** Limits on what is kept. A name is sent back unchanged, so one that is too long is dropped rather than cut. */
const maxCommands = 200;
const maxName = 100;
const maxDescription = 300;

/** The commands that an agent offers for a session's prompts (ACP "Slash Commands"). */
export function availableCommands(update: JsonObject): readonly SessionCommand[] {
  return arrayOf(update['availableCommands'])
    .slice(0, maxCommands)
    .map(objectOf)
    .flatMap((command) => {
      const name = textOf(command['name'])?.replace(/^\//, '');
      if (name === undefined || name.length > maxName || !/^\S+$/.test(name)) return [];
      const description = oneLine(textOf(command['description']) ?? '', maxDescription);
      const hint = textOf(objectOf(command['input'])['hint']);
      return [{ name, description, ...(hint !== undefined && { hint: oneLine(hint, maxName) }) }];
    });
}
