import { t } from '../../../text/translator';
import { homedir, release, type } from 'node:os';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../text/record';
import { objectOf } from '../../../text/json';
import { activeUntil } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import type { RunProblem } from '../../../runLog/runProblems';
import type { RunViews } from '../../../runs/runs';
import type { RunView } from '../../../runLog/runView';
import { workKinds } from '../../../timeline/span';
import { readWithProgress } from '../../kit/delayedProgress';
import { commandIds } from '../../kit/ids';
import { showBriefly, showInformation } from '../../kit/notify';
import type { CommandContext, CommandTable } from './commandContext';

/** Commands about diagnoses: going from one to the next, and a report of all. */
export const problemCommands = {
  [commandIds.nextProblem]: (services) => go(services, 1),
  [commandIds.previousProblem]: (services) => go(services, -1),
  [commandIds.copyReport]: copyReport,
} satisfies CommandTable;

/** Shows the next or the previous problem; at first, the newest. */
async function go(services: CommandContext, step: 1 | -1): Promise<LogRecord | undefined> {
  const problems = problemsOf(services.views);
  const before = services.memory.problem;
  const last = problems.length - 1;
  if (last < 0) {
    showBriefly(vscode.l10n.t('No problems found.'));
    return undefined;
  }
  const at = problems.findIndex(({ run, seq }) => run.id === before?.runId && seq === before.seq);
  const next = at < 0 ? last : (at + step + problems.length) % problems.length;
  const problem = problems[next];
  if (!problem) return undefined;
  const { run, seq } = problem;
  const record = run.log.store.get(seq);
  services.memory.problem = { runId: run.id, seq };
  await (await services.explorer.load()).open({ run, seq, preserveFocus: true });
  if (record) await services.tree.revealRecord(run, record);
  showBriefly(vscode.l10n.t('Problem {0} of {1}', next + 1, problems.length));
  return record;
}

/** The problems of all runs, oldest first. */
function problemsOf(views: RunViews): readonly (RunProblem & { readonly run: RunView })[] {
  return views.all
    .flatMap((run) => run.log.problems.all.map((problem) => ({ ...problem, run })))
    .sort((a, b) => a.at - b.at || a.seq - b.seq);
}

/** Copies a report, and returns it. */
async function copyReport(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const run = await services.targets.view(arg, vscode.l10n.t('Select a run to report'), 'copyReport');
  if (!run) return undefined;
  const report = await reportOf(services, await readWithProgress(run, services.fileRuns));
  await vscode.env.clipboard.writeText(report);
  if (report === '') throw new HumanError(t('Nothing to report.'));
  void offerToShow(report);
  return report;
}

async function offerToShow(report: string): Promise<void> {
  const show = vscode.l10n.t('Show');
  const picked = await showInformation(
    vscode.l10n.t('Report copied. Check it for private data before you share it.'),
    show,
  );
  if (picked !== show) return;
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: report });
  await vscode.window.showTextDocument(document, { preview: true });
}

async function reportOf(services: CommandContext, run: RunView): Promise<string> {
  const { bugReport } = await import('../../../export/bugReport');
  const { mapTexts } = await import('../../../timeline/outline');
  const { waterfall } = await import('../../../timeline/waterfall');
  const { redactorFor } = await import('../../../redact/redactorFor');
  const { state, log } = run;
  const redactor = redactorFor(services.configuration.ownRedaction);
  const initialize = initializeOf(run);
  const mcpServers = services.checkUps.lastReport;
  return bugReport(
    {
      agent: run.name,
      protocol: run.protocol,
      command: run.words,
      startedAt: run.startedAt,
      versions: [
        ['Agent Logs', services.version],
        ['VS Code', vscode.version],
        [type(), release()],
        ['Node.js', process.version],
      ],
      ...(initialize !== undefined && { initialize: { result: initialize } }),
      turns: waterfall(
        mapTexts(log.spans({ kinds: workKinds }), (text) => redactor.line(text)),
        activeUntil(run),
      ),
      ...(mcpServers !== undefined && { mcpServers }),
      records: log.store.query(),
      ...(state.type === 'ended' && { termination: state.termination, endedAt: state.at }),
      dropped: log.store.dropped,
      home: homedir(),
    },
    (line) => redactor.line(line, 'report'),
  );
}

/** The agent's result of `initialize`; for a past run, from the line that it came in. */
function initializeOf({ agent, log }: RunView): unknown {
  if (agent) return agent;
  const record = log.store.query({ sessionId: null, text: 'initialized in' })[0];
  const raw = record && log.store.raw(record.seq);
  try {
    return raw === undefined ? undefined : objectOf(JSON.parse(raw))['result'];
  } catch {
    return undefined;
  }
}
