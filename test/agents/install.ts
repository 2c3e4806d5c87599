import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectOf, textOf } from '../../src/text/json';
import type { RealAgent } from './realAgent';

/** Node for agents that need a newer one than the extension's. */
const newerNode = { package: 'node', version: '24.21.0' };
const installTimeout = 10 * 60_000;
/** Written after a complete installation, with the installed versions. */
const marker = 'installed.json';

interface Wanted {
  readonly package: string;
  readonly version: string;
  readonly installScripts?: readonly string[];
  readonly peers?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/** A program from npm. */
type Installable = Wanted & Pick<RealAgent, 'name' | 'program' | 'programPackage' | 'installedWith' | 'needsNewerNode'>;

/** How to start an installed agent. */
export interface Installed {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder of the Node version it needs, to prepend to its PATH. */
  readonly nodeFolder: string | undefined;
}

/** Installs agents from npm, each into a separate folder so that their dependencies don't conflict. */
export class Installer {
  /** @param root the parent folder of all installations */
  constructor(private readonly root: string) {}

  /** @throws Error with npm's reason */
  async install(agent: Installable): Promise<Installed> {
    const folder = await this.installed(agent.installedWith ?? agent.name, agent);
    const program = programOf(folder, agent);
    const node = agent.needsNewerNode === true ? await this.newerNode() : undefined;
    // Some packages contain a native executable instead of a script.
    const isScript = /\.[cm]?js$/.test(program);
    return {
      command: isScript ? (node?.program ?? process.execPath) : program,
      args: isScript ? [program] : [],
      nodeFolder: node?.folder,
    };
  }

  private async newerNode(): Promise<{ program: string; folder: string }> {
    const folder = join(await this.installed('node', { ...newerNode, installScripts: ['node'] }), 'node/bin');
    const program = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    if (!existsSync(program)) throw new Error(`${program} is missing`);
    return { program, folder };
  }

  /** Installs the packages unless they are already installed. Returns the path of `node_modules`. */
  private async installed(name: string, wanted: Wanted): Promise<string> {
    const folder = join(this.root, name);
    const manifest = manifestOf(wanted);
    if (!existsSync(join(folder, marker)) || readFileSync(join(folder, marker), 'utf8') !== manifest) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), manifest);
      await npmInstall(folder);
      writeFileSync(join(folder, marker), manifest);
    }
    return join(folder, 'node_modules');
  }
}

function manifestOf({ package: name, version, installScripts = [], peers, overrides }: Wanted): string {
  const allowScripts = Object.fromEntries(installScripts.map((script) => [script, true]));
  return JSON.stringify({ private: true, dependencies: { [name]: version, ...peers }, overrides, allowScripts });
}

function npmInstall(cwd: string): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error'];
  // `npm run` passes its project folder to scripts; the npm below must use another one.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const shell = process.platform === 'win32'; // npm is a batch file on Windows
  return new Promise((resolve, reject) => {
    execFile('npm', args, { cwd, env, shell, timeout: installTimeout }, (error, stdout, stderr) => {
      if (error) reject(new Error(reasonOf(`${stderr}\n${stdout}`) || error.message, { cause: error }));
      else resolve();
    });
  });
}

/** The lines with npm's reason, without the path of its log. */
function reasonOf(output: string): string {
  const lines = output.split('\n').filter((line) => /^npm err/i.test(line) && !/complete log|\.log$/.test(line));
  return lines
    .slice(0, 4)
    .map((line) => line.replace(/^npm err(or)?!?\s*/i, '').trim())
    .join(' · ');
}

function programOf(nodeModules: string, { package: name, programPackage, program }: Installable): string {
  const folder = join(nodeModules, programPackage ?? name);
  const { bin } = objectOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const file = join(folder, (isObject(bin) && textOf(bin[program])) || program);
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  return file;
}
