import { oneLine } from '../../log/text';
import type { SessionMode } from '../interpreter';
import { arrayOf, objectOf, textOf } from '../json';

/** Nobody chooses from more; and an id is sent back as it came, so that one that is too long to be kept is none. */
const maxModes = 100;
const maxId = 256;

/** The id of a mode. */
export function modeIdOf(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined || id.length > maxId ? undefined : id;
}

/** The modes that a session can be in (ACP "Session Modes"). */
export function availableModes(modes: unknown): readonly SessionMode[] {
  return arrayOf(objectOf(modes)['availableModes'])
    .slice(0, maxModes)
    .map(objectOf)
    .flatMap(({ id: value, name }) => {
      const id = modeIdOf(value);
      return id === undefined ? [] : [{ id, name: oneLine(textOf(name) ?? id, 200) }];
    });
}
