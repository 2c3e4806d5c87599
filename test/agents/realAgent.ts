import type { ProcessDefinition } from '../../src/live/config/launchSpec';
import type { LspSettings } from '../../src/live/lsp/lspSettings';
import type { MockModel, MockMode } from './mockModel';
import type { Sandbox } from './sandbox';
import type { Trial } from './trial';

/** One way to test an agent. */
export interface Scenario {
  readonly name: string;
  /** How the loopback model behaves, for agents that use one. */
  readonly model?: MockMode;
  /** Arguments in addition to the agent's usual ones. */
  readonly args?: readonly string[];
  /** Starts the agent behind the tap, which keeps its journal in the sandbox. */
  readonly tapped?: boolean;
  /** Starts the agent as a separate server, and connects over HTTP. */
  readonly http?: HttpService;
  /** Why it can't run here. */
  readonly unable?: string;
  /** Runs the scenario and its checks. The agent is always stopped afterwards. */
  readonly play: (trial: Trial) => Promise<void>;
}

/** How to serve an agent over HTTP. */
export interface HttpService {
  /** The environment variable for its port. */
  readonly portVariable: string;
  readonly path: string;
}

/** An agent from npm, and its scenarios. */
export interface RealAgent {
  readonly name: string;
  /** ACP by default. */
  readonly protocol?: ProcessDefinition['protocol'];
  /** Settings for a language server. */
  readonly lsp?: LspSettings;
  readonly package: string;
  readonly version: string;
  /** The name of a program in the package's `bin`, or a file in the package. */
  readonly program: string;
  /** The dependency that has the program, if it isn't in the package itself. */
  readonly programPackage?: string;
  /** The agent whose installation it shares. */
  readonly installedWith?: string;
  readonly args?: readonly string[];
  /** Added to the clean environment that all agents get. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it needs a newer Node than the extension's. */
  readonly needsNewerNode?: boolean;
  /** Packages whose install scripts are required. Newer versions of npm run only listed ones. */
  readonly installScripts?: readonly string[];
  /** Peer packages to install beside it, with their versions. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Packages that npm installs in place of those that it doesn't have. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Writes its configuration to the new home directory. */
  readonly configure?: (sandbox: Sandbox, model: MockModel) => void;
  /** Environment variables that lead it to the loopback model. */
  readonly modelEnv?: (model: MockModel) => Readonly<Record<string, string>>;
  readonly scenarios: readonly Scenario[];
}
