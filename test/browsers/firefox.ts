import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExecutable, run, step, which } from '../../scripts/vscode/exec.mjs';

const programs = ['firefox-esr', 'firefox'];
const settings = [
  ['marionette.port', 0],
  ['browser.shell.checkDefaultBrowser', false],
  ['datareporting.policy.dataSubmissionEnabled', false],
  ['app.normandy.enabled', false],
  ['app.update.enabled', false],
  ['network.captive-portal-service.enabled', false],
  ['network.connectivity-service.enabled', false],
] as const;

/** A headless Firefox, driven by its own protocol: Playwright drives only builds of its own. */
export class Firefox {
  private lastId = 0;
  private received = Buffer.alloc(0);
  private readonly waiting = new Map<number, (answer: readonly unknown[]) => void>();

  private constructor(
    private readonly program: ChildProcess,
    private readonly profile: string,
    private readonly socket: Socket,
  ) {
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  static async start(): Promise<Firefox> {
    const path = await firefoxPath();
    const profile = mkdtempSync(join(tmpdir(), 'agent-logs-firefox-'));
    const lines = settings.map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, 'user.js'), lines.join(''));
    const program = spawn(path, ['--headless', '--no-remote', '--marionette', '--profile', profile], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const socket = connect(await portOf(program), '127.0.0.1');
    const firefox = new Firefox(program, profile, socket);
    await once(socket, 'connect');
    await firefox.send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
    return firefox;
  }

  async end(): Promise<void> {
    const ended = once(this.program, 'exit');
    this.program.kill();
    await ended;
    this.socket.destroy();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(url: string): Promise<void> {
    await this.send('WebDriver:Navigate', { url });
  }

  /** Runs the body of a function in the page, beside its policy. */
  async evaluate(body: string): Promise<unknown> {
    const answer = await this.send('WebDriver:ExecuteScript', { script: body, args: [] });
    return (answer as { readonly value: unknown }).value;
  }

  /** Settles when an expression in the page is true. */
  async until(expression: string): Promise<void> {
    const script = `const done = arguments[arguments.length - 1];
      const look = () => (${expression}) ? done() : setTimeout(look, 20);
      look();`;
    await this.send('WebDriver:ExecuteAsyncScript', { script, args: [], scriptTimeout: 45_000 });
  }

  /** Types into what has the focus. */
  async press(...keys: readonly string[]): Promise<void> {
    const strokes = keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
    await this.send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions: strokes }] });
  }

  private send(command: string, parameters: object): Promise<unknown> {
    const id = ++this.lastId;
    const text = JSON.stringify([0, id, command, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ([, , error, value]) => {
        if (error === null) resolve(value);
        else reject(new Error(`${command}: ${JSON.stringify(error).slice(0, 500)}`));
      });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  /** Messages are their length, a colon, and JSON. */
  private receive(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (;;) {
      const colon = this.received.indexOf(':');
      const length = Number(this.received.toString('latin1', 0, Math.max(0, colon)));
      if (colon < 0 || this.received.length < colon + 1 + length) return;
      const message = JSON.parse(this.received.toString('utf8', colon + 1, colon + 1 + length)) as unknown;
      this.received = this.received.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // its greeting
      const id = message[1] as number;
      this.waiting.get(id)?.(message as readonly unknown[]);
      this.waiting.delete(id);
    }
  }
}

/** The port that it prints. */
async function portOf({ stderr, stdout }: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const port = /Listening on port (\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    stderr?.on('data', look);
    stdout?.on('data', look);
    stderr?.on('close', () => reject(new Error(`Firefox ended:\n${output.slice(-2000)}`)));
  });
}

/** An installed Firefox. @throws if there is none, so that no test is skipped in silence */
async function firefoxPath(): Promise<string> {
  const configured = process.env['AGENT_LOGS_FIREFOX'];
  if (configured !== undefined && configured !== '') {
    if (isExecutable(configured)) return configured;
    throw new Error(`AGENT_LOGS_FIREFOX is ${configured}, which doesn't exist or can't be run.`);
  }
  const find = (): string | undefined => programs.map(which).find((path) => path !== undefined);
  const apt = which('apt-get');
  if (find() === undefined && apt !== undefined && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await step('Installing Firefox with apt-get', async () => {
      await run(apt, ['update'], { env });
      await run(apt, ['install', '-y', '--no-install-recommends', 'firefox-esr'], { env });
    });
  }
  const found = find();
  if (found === undefined) {
    throw new Error('Firefox is missing: install firefox-esr, or name it with AGENT_LOGS_FIREFOX.');
  }
  return found;
}
