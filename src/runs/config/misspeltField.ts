import type { JsonObject } from '../../protocols/json';

/** Other programs' names and common misspellings of our fields, in lower case. */
const mistaken: ReadonlyMap<string, string> = new Map(
  Object.entries({
    protocol: ['protocoll', 'protocal'],
    command: ['cmd', 'comand', 'commmand', 'commandline', 'program', 'executable'],
    args: ['arg', 'argv', 'arguments', 'params'],
    env: ['envs', 'environment', 'environmentvariables', 'variables'],
    cwd: ['dir', 'directory', 'folder', 'workdir', 'workingdir', 'workingdirectory'],
    url: ['uri', 'endpoint', 'serverurl', 'httpurl', 'baseurl'],
    headers: ['header', 'httpheaders'],
    level: ['loglevel', 'levels'],
    initializationOptions: ['initoptions', 'initializeoptions', 'initializationoption'],
  }).flatMap(([field, others]) => [field.toLowerCase(), ...others].map((other) => [other, field] as const)),
);

/** An unknown field and the one that was most likely meant. */
export interface MisspeltField {
  readonly field: string;
  readonly meant: string;
}

/** Finds the first field of an agent that is probably misspelt, if the correct one is missing. Fields of other clients are ignored. */
export function misspeltField(entry: JsonObject): MisspeltField | undefined {
  for (const field of Object.keys(entry)) {
    const meant = mistaken.get(field.toLowerCase());
    if (meant !== undefined && meant !== field && !Object.hasOwn(entry, meant)) return { field, meant };
  }
  return undefined;
}
