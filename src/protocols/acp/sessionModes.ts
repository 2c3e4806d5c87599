import { oneLine } from '../../log/text';
import type { SessionMode } from '../interpreter';
import type { JsonObject } from '../json';
import { arrayOf, objectOf, textOf } from '../json';

/** Limits on what a person can choose from. An id is sent back as it came, so one that is too long is dropped. */
const maxModes = 100;
const maxId = 256;

/** The id of a mode. */
export function modeIdOf(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined || id.length > maxId ? undefined : id;
}

/** The modes that a session can be in (ACP "Session Modes"). */
export function availableModes(modes: unknown): readonly SessionMode[] {
  return modesIn(arrayOf(objectOf(modes)['availableModes']), 'id');
}

/** The configuration option that is the session's mode. */
export interface ModeOption {
  readonly configId: string;
  readonly current: string;
  readonly modes: readonly SessionMode[];
}

/** The option of category `mode` among `configOptions` (ACP "Session Config Options"), if there is one. */
export function modeOption({ configOptions }: JsonObject): ModeOption | undefined {
  const option = arrayOf(configOptions)
    .map(objectOf)
    .find(({ category, type }) => category === 'mode' && type === 'select');
  const configId = modeIdOf(option?.['configId'] ?? option?.['id']);
  const current = modeIdOf(option?.['currentValue']);
  if (!option || configId === undefined || current === undefined) return undefined;
  // Options may come in groups.
  const values = arrayOf(option['options']).flatMap((value) => {
    const { options } = objectOf(value);
    return Array.isArray(options) ? arrayOf(options) : [value];
  });
  return { configId, current, modes: modesIn(values, 'value') };
}

function modesIn(values: readonly unknown[], idField: 'id' | 'value'): readonly SessionMode[] {
  return values
    .slice(0, maxModes)
    .map(objectOf)
    .flatMap((mode) => {
      const id = modeIdOf(mode[idField]);
      return id === undefined ? [] : [{ id, name: oneLine(textOf(mode['name']) ?? id, 200) }];
    });
}
