import type { ProcessDefinition } from '../../src/runs/config/launchSpec';
import type { LspSettings } from '../../src/runs/lsp/lspSettings';
import type { MockModel, MockMode } from './mockModel';
import type { Sandbox } from './sandbox';
import type { Trial } from './trial';

/** One way in which an agent is tried. */
export interface Scenario {
  readonly name: string;
  /** How the loopback model behaves, for an agent that speaks to one. */
  readonly model?: MockMode;
  /** Arguments beside those that the agent always gets. */
  readonly args?: readonly string[];
  /** It is started behind the tap, which keeps its journal in the sandbox. */
  readonly tapped?: boolean;
  /** The agent is started as a server of its own, and connected to over HTTP. */
  readonly http?: HttpService;
  /** Tells the trial what to do and what to look for. It is stopped afterwards in any case. */
  readonly play: (trial: Trial) => Promise<void>;
}

/** How an agent serves over HTTP. */
export interface HttpService {
  /** The variable that tells it its port. */
  readonly portVariable: string;
  readonly path: string;
}

/** An agent from npm, and how it is tried. */
export interface RealAgent {
  readonly name: string;
  /** What it speaks; ACP, where nothing is said. */
  readonly protocol?: ProcessDefinition['protocol'];
  /** What a language server gets to know. */
  readonly lsp?: LspSettings;
  readonly package: string;
  readonly version: string;
  /** The program of the package's `bin`, or a file of the package. */
  readonly program: string;
  /** The package beneath that has the program, where it is not the package itself. */
  readonly programPackage?: string;
  /** The agent whose installation it shares. */
  readonly installedWith?: string;
  readonly args: readonly string[];
  /** Added to the clean environment that every agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** It wants a newer Node than the extension's. */
  readonly needsNewerNode?: boolean;
  /** Packages whose install scripts it cannot do without: newer npm runs none that are not named. */
  readonly installScripts?: readonly string[];
  /** Other packages that it looks for beside itself, by their versions. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Writes its configuration into the fresh home. */
  readonly configure?: (sandbox: Sandbox, model: MockModel) => void;
  readonly scenarios: readonly Scenario[];
}
