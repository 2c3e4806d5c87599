import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../scripts/vscode/ports.mjs';
import type { ProcessDefinition, RemoteDefinition } from '../../src/live/config/launchSpec';
import { launchSpec } from '../../src/live/config/launchSpec';
import type { HttpService } from './realAgent';
import type { Sandbox } from './sandbox';

/** How long a server may take to start listening, in milliseconds. */
const listenMs = 20_000;

/** Starts an agent that serves over HTTP, independently of the client. */
export class HttpServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly definition: RemoteDefinition,
  ) {}

  /** Resolves when the server is listening. */
  static async start(
    agent: ProcessDefinition,
    { portVariable, path }: HttpService,
    sandbox: Sandbox,
    env: NodeJS.ProcessEnv,
  ): Promise<HttpServer> {
    const port = await freePort();
    const spec = launchSpec(agent, { workspaceFolder: sandbox.project, userHome: sandbox.home, env });
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...spec.env, [portVariable]: String(port) },
      stdio: 'ignore',
    });
    process.once('exit', () => child.kill('SIGKILL'));
    const until = performance.now() + listenMs;
    while (!(await listens(port))) {
      if (performance.now() > until || child.exitCode !== null) throw new Error(`${agent.name} does not listen`);
      await delay(50);
    }
    const url = `http://127.0.0.1:${port}${path}`;
    return new HttpServer(child, { name: agent.name, protocol: 'mcp', url, headers: {} });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
