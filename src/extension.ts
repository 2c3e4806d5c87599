import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { objectOf } from './text/json';
import { ProcessReaper } from './live/process/processReaper';
import { FileRuns } from './past/files/fileRuns';
import { Runs, RunViews } from './runs/runs';
import { JournalFolder } from './wire/journal/journalFolder';
import { SpillFolder } from './machine/spill/spillFolder';
import { Launcher } from './ui/services/agents/launcher';
import { Replays } from './ui/services/agents/replays';
import type { AgentLogsApi } from '../api/agent-logs';
import { AlertNotices } from './ui/services/alerts/alertNotices';
import { Api } from './ui/surfaces/api';
import { registerCommands } from './ui/surfaces/commands/registerCommands';
import { Configuration } from './ui/services/configuration';
import { ContextKeys } from './ui/services/contextKeys';
import { CrashNotices } from './ui/surfaces/crashNotices';
import { ExplorerEntry } from './ui/surfaces/explorer/explorerEntry';
import { ExtensionLog } from './ui/services/logChannels';
import { Journals } from './ui/services/runs/journals';
import { LevelControl } from './ui/services/level/levelControl';
import { LevelMemory } from './ui/services/level/levelMemory';
import { registerLmTools } from './ui/surfaces/lmTools/lmTools';
import { OtlpExport } from './ui/services/otlp/otlpExport';
import { AgentServer, offerAgentServer } from './ui/services/mcp/agentServer';
import { McpCheckUps } from './ui/services/mcp/mcpCheckUps';
import { McpServers } from './ui/services/mcp/mcpServers';
import { KeepSessions } from './ui/services/keep/keepSessions';
import { LocalSessions } from './ui/services/localSessions';
import { SessionsNow } from './ui/services/now/sessionsNow';
import { Logins } from './ui/services/login/logins';
import { SecretLogins } from './ui/services/login/secretLogins';
import { OutputChannels } from './ui/services/output/outputChannels';
import { ErrorReporter } from './ui/services/errorReporter';
import { fileRunOptions } from './ui/services/runs/fileRunOptions';
import { RecordDocuments } from './ui/surfaces/records/recordDocuments';
import { ReportPanel } from './ui/surfaces/records/reportPanel';
import { RunPublisher } from './ui/services/runs/publisher';
import { RunFactory } from './ui/services/runs/runFactory';
import { SettingsProblems } from './ui/services/settings/settingsProblems';
import { StatusItem } from './ui/surfaces/status/statusItem';
import { InstalledTap } from './ui/services/installedTap';
import { WatchedFiles } from './ui/services/watchedFiles';
import { SessionTree } from './ui/surfaces/tree/sessionTree';
import { WaitNotices } from './ui/surfaces/waitNotices';

/** In milliseconds. VS Code gives an extension a few seconds to end. */
const graceAtEnd = { close: 500, terminate: 1000 };

/** `deactivate` gets no argument, and VS Code disposes of the subscriptions before it has finished. */
let end: (() => Promise<void>) | undefined;

/** Builds the services and the surfaces. Starts no agent and reads no file. */
export function activate(context: ExtensionContext): AgentLogsApi {
  const { subscriptions, extensionUri, workspaceState, globalState } = context;
  const services = createServices(context);
  const { log, configuration, runs, fileRuns, views, launcher, tap, levels, channels, local, mcpServers } = services;
  const { sessionsNow } = services;
  const watched = new WatchedFiles(fileRuns, configuration);
  const tree = new SessionTree(runs, fileRuns, watched, configuration, local, mcpServers, sessionsNow);
  const documents = new RecordDocuments(views, configuration);
  const errors = new ErrorReporter(runs, log);
  const otlp = new OtlpExport(runs, configuration);
  const surfaces = { ...services, tree, documents, errors };
  const explorer = new ExplorerEntry({ ...surfaces, extensionUri, memory: workspaceState });
  const report = new ReportPanel('agentLogs.report');
  const commands = registerCommands({ ...surfaces, extensionUri, explorer, report });
  const api = new Api(views, runs, fileRuns, launcher, services.publisher, levels);
  const marks = [
    new StatusItem(runs, sessionsNow),
    new ContextKeys(runs, fileRuns, views, configuration, mcpServers),
    new CrashNotices(runs, launcher, configuration, errors),
    new WaitNotices(runs),
    registerLmTools({ views, fileRuns, local, configuration, checkUps: services.checkUps }),
    offerAgentServer(services.agentServer, local, services.version),
    new SettingsProblems(configuration, log),
    new AlertNotices(runs, fileRuns, configuration, globalState, log),
    tap,
    explorer,
    services.logins,
    sessionsNow,
    new KeepSessions(local, configuration, globalState, log),
  ];

  sessionsNow.begin(() => explorer.shownRun);
  void tap.renew();
  subscriptions.push(configuration.onDidChange(() => fileRuns.renew()));
  subscriptions.push(
    commands,
    api,
    channels,
    levels,
    tree,
    watched,
    fileRuns,
    documents,
    report,
    ...marks,
    configuration,
    log,
  );
  end = async () => {
    await runs.stopAll(graceAtEnd);
    await services.journals.close();
    services.reaper.dispose();
    services.journals.dispose();
    await otlp.end();
  };
  return api;
}

/** Creates what runs agents and reads and keeps their logs. */
function createServices(context: ExtensionContext) {
  const { extension, extensionPath, workspaceState, globalState, globalStorageUri, secrets } = context;
  const version = String(objectOf(extension.packageJSON)['version']);
  const runs = new Runs();
  const reaper = new ProcessReaper();
  const configuration = new Configuration();
  const memory = new LevelMemory(workspaceState, configuration);
  const log = new ExtensionLog();
  const tap = new InstalledTap(extensionPath, configuration, log);
  const folder = new JournalFolder(join(globalStorageUri.fsPath, 'journals'));
  const spill = new SpillFolder(join(globalStorageUri.fsPath, 'records'), log);
  const journals = new Journals(folder, spill, configuration, runs);
  const local = new LocalSessions(configuration, globalStorageUri.fsPath);
  const sessionsNow = new SessionsNow(runs, local, configuration, globalStorageUri.fsPath, globalState, log);
  const mcpServers = new McpServers(globalStorageUri.fsPath, tap.folder);
  const fileRuns = new FileRuns(
    folder,
    new JournalFolder(tap.folder),
    (info) => fileRunOptions(configuration, info, journals.spillFile()),
    (path) => local.fileAt(path),
  );
  const views = new RunViews(runs, fileRuns);
  const factory = new RunFactory(runs, configuration, memory, journals, log);
  const logins = new Logins(extension.id, new SecretLogins(secrets));
  const launcher = new Launcher(runs, configuration, factory, reaper, logins, {
    extensionPath,
    version,
    mcpServers,
    tap,
    replays: new Replays(fileRuns, views, extensionPath),
  });
  const agentServer = new AgentServer(tap, folder.path);
  const checkUps = new McpCheckUps(mcpServers, { views, fileRuns }, reaper, launcher, configuration, version, log);
  const publisher = new RunPublisher(runs, configuration, factory, log);
  const channels = new OutputChannels(runs, configuration);
  const levels = new LevelControl(runs, channels, memory, configuration);
  const agents = { runs, reaper, launcher, publisher, levels, channels };
  return {
    version,
    configuration,
    log,
    tap,
    journals,
    fileRuns,
    views,
    local,
    sessionsNow,
    logins,
    mcpServers,
    agentServer,
    checkUps,
    ...agents,
  };
}

/** Ends every agent, and finishes writing. */
export function deactivate(): Promise<void> | undefined {
  return end?.();
}
