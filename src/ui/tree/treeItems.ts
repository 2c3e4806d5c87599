import * as vscode from 'vscode';
import type { Level } from '../../log/level';
import { rankOf } from '../../log/level';
import type { LogRecord } from '../../log/record';
import { sessionLabel } from '../../log/sessionLabel';
import type { Termination } from '../../log/termination';
import { shortEnd } from '../../log/termination';
import { boundedJson } from '../../log/boundedJson';
import { cut, duration, oneLine, plainText } from '../../log/text';
import type { OpenRequest } from '../../protocols/openRequests';
import { objectOf, textOf } from '../../protocols/json';
import { lastWords } from '../../runs/lastWords';
import type { Run } from '../../runs/run';
import type { LogGroup } from '../../runs/runLog';
import type { Runs } from '../../runs/runs';
import { commandIds } from '../ids';
import { relativeTime } from './relativeTime';
import type { TreeNode } from './treeNode';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Each level has an icon of its own, so that colour is never all that tells it. */
const levelIcons: Readonly<Record<Level, string>> = {
  debug: 'debug-alt-small',
  info: 'info',
  notice: 'megaphone',
  warning: 'warning',
  error: 'error',
  critical: 'flame',
  alert: 'bell',
  emergency: 'zap',
};

/** Rows as VS Code draws them. Everything that an agent wrote is plain text here: no markdown, no links, no commands. */
export class TreeItems {
  constructor(
    private readonly runs: Runs,
    private readonly now: () => number,
  ) {}

  of(node: TreeNode): vscode.TreeItem {
    const item = this.draw(node);
    item.id = node.id;
    return item;
  }

  private draw(node: TreeNode): vscode.TreeItem {
    switch (node.type) {
      case 'agent':
        return this.agent(node.name);
      case 'run':
        return this.run(node, node.run);
      case 'group':
        return this.group(node.run, node.sessionId);
      case 'request':
        return this.request(node.request);
      case 'record':
        return record(node, node.record);
      case 'older':
        return older(node, node.count);
    }
  }

  private agent(name: string): vscode.TreeItem {
    const latest = this.runs.latestOf(name);
    const live = latest !== undefined && latest.state.type !== 'ended';
    const item = new vscode.TreeItem(name, latest ? Expanded : None);
    item.iconPath = new vscode.ThemeIcon('robot');
    item.contextValue = `agent;${live ? 'live' : 'idle'}`;
    if (!latest) item.description = vscode.l10n.t('not started');
    return item;
  }

  private run(node: TreeNode, run: Run): vscode.TreeItem {
    const { state } = run;
    const item = new vscode.TreeItem(describeAgent(run), this.runs.latestOf(run.name) === run ? Expanded : Collapsed);
    item.description = `${describeState(run)} · ${clock(run.startedAt)} · ${run.level}`;
    item.contextValue = `run;${state.type === 'ended' ? 'ended' : 'live'};${state.type}`;
    if (state.type === 'ended') {
      item.command = {
        command: commandIds.showTermination,
        title: vscode.l10n.t('Show Termination'),
        arguments: [node],
      };
    }
    item.iconPath = runIcon(run);
    item.tooltip = [
      `${run.name}: ${describeState(run)}`,
      vscode.l10n.t('Level: {0}', run.level),
      ...(run.pid === undefined ? [] : [vscode.l10n.t('Process: {0}', run.pid)]),
      vscode.l10n.t('Command: {0}', cut([run.spec.command, ...run.spec.args].join(' '), 500)),
      vscode.l10n.t('Folder: {0}', run.spec.cwd),
      ...(run.log.store.dropped === 0
        ? []
        : [vscode.l10n.t('{0} older records are no longer in memory', run.log.store.dropped)]),
    ].join('\n');
    item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
    return item;
  }

  private group(run: Run, sessionId: string | undefined): vscode.TreeItem {
    const group = run.log.find(sessionId) ?? run.log.connection;
    const name = sessionId === undefined ? vscode.l10n.t('Connection') : sessionLabel(sessionId, group.title);
    const item = new vscode.TreeItem(name, Collapsed);
    const counts = describeCounts(group);
    const ended = group.ended ? [vscode.l10n.t('closed')] : [];
    item.description = [...counts, ...ended, relativeTime(this.now() - group.lastAt)].join(' · ');
    item.iconPath = groupIcon(group);
    item.contextValue = groupContext(run, group);
    item.tooltip = [
      name,
      ...counts,
      ...ended,
      ...(group.currentMode === undefined ? [] : [vscode.l10n.t('Mode: {0}', group.currentMode)]),
    ].join('\n');
    item.accessibilityInformation = {
      label: `${name}, ${item.description}${group.worst ? `, ${vscode.l10n.t('worst: {0}', group.worst)}` : ''}`,
    };
    return item;
  }

  private request(request: OpenRequest): vscode.TreeItem {
    const item = new vscode.TreeItem(request.method, None);
    const waiting = duration(this.now() - request.startedAt);
    item.description =
      request.direction === 'out'
        ? vscode.l10n.t('waiting for {0}', waiting)
        : vscode.l10n.t('asked by the agent, open for {0}', waiting);
    item.iconPath = new vscode.ThemeIcon('loading~spin');
    item.contextValue = `request;${request.direction}`;
    item.accessibilityInformation = { label: `${request.method}, ${item.description}` };
    return item;
  }
}

function record(node: TreeNode, { level, logger, message, kind, receivedAt, data }: LogRecord): vscode.TreeItem {
  const text = oneLine(message, 200) || vscode.l10n.t('(empty)');
  const item = new vscode.TreeItem(logger === undefined ? text : `${oneLine(logger, 40)}: ${text}`, None);
  item.description = `${level} · ${clock(receivedAt)}`;
  item.iconPath = levelIcon(level);
  item.contextValue = 'record';
  // Not a MarkdownString: what an agent wrote must not become a link.
  item.tooltip = `${level} · ${kind} · ${clock(receivedAt)}\n${plainText(cut(message, 2000))}${data === undefined ? '' : `\n${plainText(boundedJson(data, 1000))}`}`;
  item.command = { command: commandIds.openRecord, title: vscode.l10n.t('Open Record'), arguments: [node] };
  item.accessibilityInformation = { label: `${level}, ${item.label as string}, ${clock(receivedAt)}` };
  return item;
}

function older(node: TreeNode, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('{0} older…', count), None);
  item.iconPath = new vscode.ThemeIcon('fold-down');
  item.command = { command: commandIds.loadOlder, title: vscode.l10n.t('Load Older Records'), arguments: [node] };
  return item;
}

function levelIcon(level: Level): vscode.ThemeIcon {
  if (rankOf(level) >= rankOf('error')) {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.errorForeground'));
  }
  if (level === 'warning') {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.warningForeground'));
  }
  return new vscode.ThemeIcon(levelIcons[level]);
}

function groupIcon(group: LogGroup): vscode.ThemeIcon {
  if (group.worst && rankOf(group.worst) >= rankOf('warning')) return levelIcon(group.worst);
  return new vscode.ThemeIcon(group.id === undefined ? 'plug' : 'comment-discussion');
}

function groupContext(run: Run, group: LogGroup): string {
  const flags = [group.id === undefined ? 'connection' : 'session'];
  if (run.state.type === 'running' && !group.ended) flags.push('live');
  if (run.canCloseSessions) flags.push('closable');
  if (group.modes.length > 0) flags.push('modes');
  if (run.log.requests.some(({ method, sessionId }) => method === 'session/prompt' && sessionId === group.id)) {
    flags.push('busy');
  }
  return flags.join(';');
}

/** How many records, and how many of them need a look. */
function describeCounts({ counts }: LogGroup): string[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const errors = counts.error + counts.critical + counts.alert + counts.emergency;
  return [
    all === 1 ? vscode.l10n.t('1 record') : vscode.l10n.t('{0} records', all.toLocaleString()),
    ...(errors === 0 ? [] : [errors === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', errors)]),
    ...(counts.warning === 0
      ? []
      : [counts.warning === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', counts.warning)]),
  ];
}

function describeAgent(run: Run): string {
  if (run.state.type !== 'running') return clock(run.startedAt);
  const info = objectOf(run.state.agent['agentInfo']);
  const name = textOf(info['title']) ?? textOf(info['name']) ?? run.name;
  const version = textOf(info['version']);
  return oneLine(version === undefined ? name : `${name} ${version}`, 80);
}

function describeState(run: Run): string {
  const { state } = run;
  switch (state.type) {
    case 'starting':
      return vscode.l10n.t('starting');
    case 'running':
      return vscode.l10n.t('running');
    case 'stopping':
      return vscode.l10n.t('stopping');
    case 'ended':
      return describeEnd(state.termination);
  }
}

/** `exit 1 · "Error: module not found"`. */
function describeEnd(termination: Termination): string {
  const words = termination.reason === 'error' ? lastWords(termination.stderr) : undefined;
  const end = oneLine(shortEnd(termination), 80);
  return words === undefined ? end : `${end} · "${oneLine(words, 120)}"`;
}

function runIcon({ state }: Run): vscode.ThemeIcon {
  switch (state.type) {
    case 'starting':
    case 'stopping':
      return new vscode.ThemeIcon('loading~spin');
    case 'running':
      return new vscode.ThemeIcon('play-circle', new vscode.ThemeColor('charts.green'));
    case 'ended':
      return state.termination.reason === 'error'
        ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
        : new vscode.ThemeIcon('circle-slash');
  }
}

function clock(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
