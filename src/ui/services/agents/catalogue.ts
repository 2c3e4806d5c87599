import type { KnownAgent } from '../../../agents/catalogue';
import { catalogue } from '../../../agents/catalogue';

/** The catalog's agents, by whether they are installed. */
export interface Installation {
  readonly installed: readonly KnownAgent[];
  readonly missing: readonly KnownAgent[];
}

/** @param find returns the path of an installed program */
export async function installation(find: (program: string) => Promise<string | undefined>): Promise<Installation> {
  const found = await Promise.all(catalogue.map(({ commandLine }) => find(commandLine.split(' ', 1)[0] ?? '')));
  return {
    installed: catalogue.filter((_, index) => found[index] !== undefined),
    missing: catalogue.filter((_, index) => found[index] === undefined),
  };
}
