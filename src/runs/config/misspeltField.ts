import type { JsonObject } from '../../protocols/json';

/** What other programs call our fields, or what is easily written instead, in lower case. */
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

/** A field that is not known, and the one that was most likely meant. */
export interface MisspeltField {
  readonly field: string;
  readonly meant: string;
}

/** The first field of an agent that seems to be misspelt: what it is taken for is not there. Other clients' own are none. */
export function misspeltField(entry: JsonObject): MisspeltField | undefined {
  for (const field of Object.keys(entry)) {
    const meant = mistaken.get(field.toLowerCase());
    if (meant !== undefined && meant !== field && !Object.hasOwn(entry, meant)) return { field, meant };
  }
  return undefined;
}
