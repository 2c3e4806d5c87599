import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads a package from `bench/.peers`, so that its version is independent of ours. */
export async function peer<T>(name: string): Promise<T> {
  const require = createRequire(pathToFileURL(resolve('bench/.peers/package.json')));
  // Two of them are ES modules only.
  const path =
    name === '@agentclientprotocol/sdk'
      ? resolve('bench/.peers/node_modules', name, 'dist/v1/stable/acp.js')
      : require.resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}
