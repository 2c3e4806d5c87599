import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads a package of `bench/.peers`: the version that is measured against is nobody else's. */
export async function peer<T>(name: string): Promise<T> {
  const require = createRequire(pathToFileURL(resolve('bench/.peers/package.json')));
  // Two of them have no form for require().
  const path =
    name === '@agentclientprotocol/sdk'
      ? resolve('bench/.peers/node_modules', name, 'dist/v1/stable/acp.js')
      : require.resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}
