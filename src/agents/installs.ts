import { catalogue } from './catalogue';

/** How to get a program. */
export interface Install {
  /** What is installed: `Node.js`. */
  readonly name: string;
  /** The command that installs it, or the URL of its instructions. */
  readonly how: string;
}

/** What programs come with, if that isn't an agent that speaks ACP. */
const runtimes: readonly (Install & { readonly programs: readonly string[] })[] = [
  { programs: ['npx', 'npm', 'node'], name: 'Node.js', how: 'https://nodejs.org/en/download' },
  { programs: ['uvx', 'uv'], name: 'uv', how: 'https://docs.astral.sh/uv/getting-started/installation/' },
  { programs: ['bunx', 'bun'], name: 'Bun', how: 'https://bun.com/docs/installation' },
  { programs: ['deno'], name: 'Deno', how: 'https://docs.deno.com/runtime/getting_started/installation/' },
  { programs: ['python', 'python3', 'pip', 'pip3'], name: 'Python', how: 'https://www.python.org/downloads/' },
  { programs: ['pipx'], name: 'pipx', how: 'https://pipx.pypa.io/stable/installation/' },
  { programs: ['pi'], name: 'pi', how: 'npm install -g @earendil-works/pi-coding-agent' },
  { programs: ['docker'], name: 'Docker', how: 'https://docs.docker.com/get-started/get-docker/' },
];

/** A command that installs one package, without anything a shell would interpret. */
const command =
  /\b(?:npm (?:install|i) (?:-g|--global)|pnpm add (?:-g|--global)|yarn global add|bun (?:add|install) (?:-g|--global)|pip3? install|pipx install|uv tool install|brew install|cargo install) [\w@./:=+~^-]{1,100}/;

/** Packages that were abandoned for another, which older programs still name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['@mariozechner/pi-coding-agent', '@earendil-works/pi-coding-agent'],
  ['@zed-industries/claude-code-acp', '@agentclientprotocol/claude-agent-acp'],
  ['@zed-industries/codex-acp', '@agentclientprotocol/codex-acp'],
]);

const maxText = 2000;

/** How to get a program, by the command that starts it. */
export function installOf(program: string): Install | undefined {
  const base = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|bat)$/i, '');
  const runtime = runtimes.find(({ programs }) => programs.includes(base));
  if (runtime) return { name: runtime.name, how: runtime.how };
  const agent = catalogue.find(({ commandLine }) => commandLine.split(' ', 1)[0] === base);
  return agent && { name: agent.name, how: agent.install };
}

/** The command with which a text says that something is installed. Quote it as what the agent says, and offer no button for it. */
export function installCommandIn(text: string): string | undefined {
  const found = command.exec(text.slice(0, maxText))?.[0];
  return found?.replace(/[.:]+$/, '').replace(/@[\w.-]+\/[\w.-]+/, (name) => renamed.get(name) ?? name);
}

/** How to get the missing program that a text names in quotes, from our own table: what to run is never taken from the text. */
export function installIn(text: string): Install | undefined {
  for (const [, name = ''] of text.slice(0, maxText).matchAll(/[`'"]([\w./\\:-]{1,200})[`'"]/g)) {
    const install = installOf(name);
    if (install) return install;
  }
  return undefined;
}
