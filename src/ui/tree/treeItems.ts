import * as vscode from 'vscode';
import type { LogRecord } from '../../log/record';
import { sessionLabel } from '../../log/sessionLabel';
import { boundedJson } from '../../log/boundedJson';
import { progressText } from '../../log/progressText';
import { cut, duration, oneLine, plainText, withoutMarks } from '../../log/text';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { DefinitionProblem } from '../../runs/config/agentDefinition';
import { FileRun } from '../../runs/files/fileRun';
import type { FileRuns } from '../../runs/files/fileRuns';
import type { RunView } from '../../runs/runView';
import type { Runs } from '../../runs/runs';
import { commandIds, prefix } from '../ids';
import { wayToAgent } from '../settings/wayToSetting';
import { byteSize } from './byteSize';
import { relativeTime } from './relativeTime';
import { kindName, spoken } from './spokenRow';
import { agentContext, contexts, groupContext, requestContext, runContext } from './treeContexts';
import { groupIcon, levelIcon, runIcon } from './treeIcons';
import type { TreeNode } from './treeNode';
import {
  clock,
  connectionName,
  describeAgent,
  describeCounts,
  describeDoing,
  describeRun,
  describeState,
} from './treeText';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** So much of a name stands in a row that has to say something, in characters: more would hide it in a side panel as wide as it is at first. */
const shortName = 24;

/** Rows as VS Code draws them. Everything that an agent wrote is plain text here: no markdown, no links, no commands. */
export class TreeItems {
  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly now: () => number,
    private readonly isConfigured: (name: string) => boolean,
    /** What is most likely wrong in its settings. */
    private readonly hintOf: (name: string) => DefinitionProblem | undefined,
  ) {}

  of(node: TreeNode): vscode.TreeItem {
    const item = this.draw(node);
    item.id = item.collapsibleState === None ? `${node.id}:leaf` : this.unfoldedAs(node);
    return item;
  }

  /**
   * VS Code keeps a row as it was unfolded, by its id, and asks again for what is below it. One that had nothing below it would stay shut, and
   * a run that was let go would be read again at once.
   */
  private unfoldedAs(node: TreeNode): string {
    const closed = node.type === 'run' && node.run instanceof FileRun ? this.fileRuns.timesClosed(node.run) : 0;
    return closed === 0 ? node.id : `${node.id}:${closed}`;
  }

  private draw(node: TreeNode): vscode.TreeItem {
    switch (node.type) {
      case 'agent':
        return this.agent(node.name);
      case 'mistake':
        return mistake(node.problem);
      case 'run':
        return this.run(node, node.run);
      case 'group':
        return this.group(node.run, node.sessionId);
      case 'request':
        return this.request(node.run, node.request);
      case 'record':
        return record(node, node.record);
      case 'past':
        return past();
      case 'morePast':
        return morePast(node.count);
      case 'older':
        return older(node, node.count);
    }
  }

  private agent(name: string): vscode.TreeItem {
    const latest = this.runs.latestOf(name);
    const live = latest !== undefined && latest.state.type !== 'ended';
    const hasFiles = this.fileRuns.open.some(({ info }) => info.origin !== 'past' && info.name === name);
    const isFile = hasFiles && !latest && !this.isConfigured(name);
    const item = new vscode.TreeItem(oneLine(name, 100), latest || hasFiles ? Expanded : None);
    item.iconPath = new vscode.ThemeIcon(isFile ? 'file' : 'robot');
    item.contextValue = isFile ? contexts.files : agentContext(live);
    const hint = isFile ? undefined : this.hintOf(name);
    const said = hint ? [oneLine(hint.reason, 200)] : [];
    if (!latest && !isFile) item.description = [vscode.l10n.t('not started'), ...said].join(' · ');
    if (hint) {
      item.tooltip = plainText(cut(hint.message, 2000));
      item.iconPath = levelIcon('warning');
    }
    const state = latest ? describeState(latest, this.now()) : vscode.l10n.t('not started');
    item.accessibilityInformation = isFile
      ? spoken(vscode.l10n.t('Files named {0}', oneLine(name, 100)))
      : spoken(vscode.l10n.t('Agent {0}', oneLine(name, 100)), state, ...said);
    return item;
  }

  private run(node: TreeNode, run: RunView): vscode.TreeItem {
    const { state } = run;
    const item = new vscode.TreeItem(
      describeAgent(run, this.now()),
      this.runs.latestOf(run.name) === run ? Expanded : Collapsed,
    );
    const doing = describeRun(run, this.asOf(run));
    // By itself the row of one that does not run says when it began: see `describeAgent`.
    const began = state.type === 'running' ? [clock(run.startedAt)] : [];
    const facts = run instanceof FileRun ? [byteSize(run.size)] : [...began, run.level];
    item.description = [describeState(run, this.now()), ...doing, ...facts].join(' · ');
    item.contextValue = runContext(run);
    if (state.type === 'ended') {
      item.command = {
        command: commandIds.showTermination,
        title: vscode.l10n.t('Show Termination'),
        arguments: [node],
      };
    }
    item.iconPath = runIcon(run, this.now());
    item.tooltip = [
      `${run.name}: ${describeState(run, this.now())}`,
      vscode.l10n.t('Started: {0}', new Date(run.startedAt).toLocaleString()),
      vscode.l10n.t('Level: {0}', run.level),
      ...(run.pid === undefined ? [] : [vscode.l10n.t('Process: {0}', run.pid)]),
      vscode.l10n.t('Command: {0}', cut(run.words.join(' '), 500)),
      vscode.l10n.t('Folder: {0}', run.cwd),
      ...(run.log.store.dropped === 0
        ? []
        : [vscode.l10n.t('{0} older records are no longer in memory', run.log.store.dropped)]),
    ].join('\n');
    item.accessibilityInformation = spoken(
      // By itself the row of one that does not run says only when it began: the row above it has the name.
      vscode.l10n.t('Run {0}', state.type === 'running' || run instanceof FileRun ? (item.label as string) : run.name),
      describeState(run, this.now()),
      ...doing,
      vscode.l10n.t('Started: {0}', clock(run.startedAt)),
      vscode.l10n.t('Level: {0}', run.level),
    );
    return item;
  }

  private group(run: RunView, sessionId: string | undefined): vscode.TreeItem {
    const group = run.log.find(sessionId) ?? run.log.connection;
    const name = sessionId === undefined ? connectionName(run) : sessionLabel(sessionId, group.title);
    const counts = describeCounts(group, run.level);
    const ended = group.ended ? [vscode.l10n.t('closed')] : [];
    const doing = sessionId === undefined ? [] : describeDoing(group, this.asOf(run));
    // VS Code cuts what stands behind the name, never the name.
    const item = new vscode.TreeItem(doing.length === 0 ? name : oneLine(name, shortName), Collapsed);
    item.description = [...doing, ...counts, ...ended, relativeTime(this.now() - group.lastAt)].join(' · ');
    item.iconPath = groupIcon(group);
    item.contextValue = groupContext(run, group);
    item.tooltip = [
      name,
      ...doing,
      ...counts,
      ...ended,
      ...(group.currentMode === undefined ? [] : [vscode.l10n.t('Mode: {0}', oneLine(group.currentMode, 100))]),
    ].join('\n');
    item.accessibilityInformation = spoken(
      sessionId === undefined ? name : vscode.l10n.t('Session {0}', name),
      item.description,
      group.worst && vscode.l10n.t('worst: {0}', group.worst),
    );
    return item;
  }

  private asOf(run: RunView): number {
    return run instanceof FileRun ? run.asOf(this.now()) : this.now();
  }

  private request(run: RunView, request: OpenRequest): vscode.TreeItem {
    const method = oneLine(request.method, 100);
    const item = new vscode.TreeItem(method, None);
    const waiting = duration(Math.max(0, this.asOf(run) - request.startedAt));
    const how =
      request.direction === 'out'
        ? vscode.l10n.t('waiting for {0}', waiting)
        : vscode.l10n.t('asked by the agent, open for {0}', waiting);
    const far = request.progress ? progressText(request.progress) : '';
    item.description = far === '' ? how : `${far} · ${how}`;
    item.iconPath = new vscode.ThemeIcon('loading~spin');
    item.contextValue = requestContext(run, request);
    item.accessibilityInformation = spoken(vscode.l10n.t('Open request {0}', method), item.description);
    return item;
  }
}

function mistake({ agent, message, reason }: DefinitionProblem): vscode.TreeItem {
  const name = agent === undefined ? `${prefix}.agents` : oneLine(agent, 100);
  const item = new vscode.TreeItem(name, None);
  item.description = oneLine(reason, 200);
  item.iconPath = levelIcon('warning');
  item.contextValue = contexts.mistake;
  item.tooltip = plainText(cut(message, 2000));
  const way = wayToAgent(agent);
  item.command = { command: way.command, arguments: [...way.arguments], title: vscode.l10n.t('Open Setting') };
  item.accessibilityInformation = spoken(
    vscode.l10n.t('Agent {0}', name),
    vscode.l10n.t('cannot be started: {0}', item.description),
  );
  return item;
}

function record(node: TreeNode, { level, logger, message, kind, receivedAt, data }: LogRecord): vscode.TreeItem {
  // Its marks are for the documents that take them for Markdown. In what others wrote they may be a part of it.
  const said = kind === 'diagnosis' ? withoutMarks(message) : message;
  const text = oneLine(said, 200) || vscode.l10n.t('(empty)');
  const item = new vscode.TreeItem(logger === undefined ? text : `${oneLine(logger, 40)}: ${text}`, None);
  item.description = `${level} · ${clock(receivedAt)}`;
  item.iconPath = levelIcon(level);
  item.contextValue = contexts.record;
  // Not a MarkdownString: what an agent wrote must not become a link.
  item.tooltip = `${level} · ${kind} · ${clock(receivedAt)}\n${plainText(cut(said, 2000))}${data === undefined ? '' : `\n${plainText(boundedJson(data, 1000))}`}`;
  item.command = { command: commandIds.openRecord, title: vscode.l10n.t('Open Record'), arguments: [node] };
  item.accessibilityInformation = spoken(level, kindName(kind), item.label as string, clock(receivedAt));
  return item;
}

function older(node: TreeNode, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('{0} older…', count.toLocaleString()), None);
  item.iconPath = new vscode.ThemeIcon('fold-down');
  item.command = { command: commandIds.loadOlder, title: vscode.l10n.t('Load Older Records'), arguments: [node] };
  item.accessibilityInformation = spoken(
    vscode.l10n.t('Load Older Records'),
    vscode.l10n.t('{0} older…', count.toLocaleString()),
  );
  return item;
}

function past(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Past Runs'), Collapsed);
  item.iconPath = new vscode.ThemeIcon('history');
  item.contextValue = contexts.past;
  item.tooltip = vscode.l10n.t('Read from their journals on disk');
  item.accessibilityInformation = spoken(vscode.l10n.t('Past Runs'), item.tooltip);
  return item;
}

function morePast(count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('{0} older…', count.toLocaleString()), None);
  item.iconPath = new vscode.ThemeIcon('fold-down');
  item.command = { command: commandIds.openPastRun, title: vscode.l10n.t('Open Past Run…') };
  item.accessibilityInformation = spoken(
    vscode.l10n.t('Open Past Run…'),
    vscode.l10n.t('{0} older…', count.toLocaleString()),
  );
  return item;
}
