import { t } from '../../../text/translator';
import { homedir, release, type } from 'node:os';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../text/record';
import { wantedCodes } from '../../../query/compiledQuery';
import { objectOf } from '../../../text/json';
import { activeUntil } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import type { RunProblem } from '../../../runLog/runProblems';
import { RecordPages } from '../../../store/recordPages';
import type { RunLog } from '../../../runLog/runLog';
import type { RunViews } from '../../../runs/runs';
import type { RunView } from '../../../runLog/runView';
import { workKinds } from '../../../timeline/span';
import { readWithProgress } from '../../kit/delayedProgress';
import { commandIds } from '../../manifest/commands';
import { showBriefly, showInformation } from '../../kit/notify';
import type { CommandContext, CommandTable } from './commandContext';
import { openText } from '../../kit/openFile';

/** Maximum number of diagnoses to look through: a report has the worst of their series. */
const maxReportedDiagnoses = 5000;
const diagnosisCodes = wantedCodes(({ kind }) => kind === 'diagnosis');

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
  if (picked === show) await openText('markdown', report);
}

export interface ReportServices {
  readonly configuration: Pick<CommandContext['configuration'], 'ownRedaction'>;
  readonly checkUps: Pick<CommandContext['checkUps'], 'lastReport'>;
  readonly version: string;
}

/** A report as Markdown. */
export async function reportOf(services: ReportServices, run: RunView): Promise<string> {
  const { bugReport, maxLastLines } = await import('../../../export/bugReport');
  const { mapTexts } = await import('../../../timeline/outline');
  const { waterfall } = await import('../../../timeline/waterfall');
  const { redactorFor } = await import('../../../redact/redactorFor');
  const { state, log } = run;
  const redactor = redactorFor(services.configuration.ownRedaction);
  const initialize = await initializeOf(run);
  const records = await reportedRecords(log, maxLastLines);
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
        await mapTexts(log.spans({ kinds: workKinds }), (text) => redactor.line(text)),
        activeUntil(run),
      ),
      ...(mcpServers !== undefined && { mcpServers }),
      records,
      sessionIds: log.sessions.map(({ id }) => id),
      ...(state.type === 'ended' && { termination: state.termination, endedAt: state.at }),
      dropped: log.store.dropped + Math.max(0, log.store.held - records.length),
      home: homedir(),
    },
    (line) => redactor.line(line, 'report'),
  );
}

/** The newest diagnoses and the last records, in order of arrival. */
async function reportedRecords({ store }: RunLog, lastLines: number): Promise<readonly LogRecord[]> {
  const last = store.query({ limit: lastLines });
  const diagnoses = await new RecordPages(store, { codes: diagnosisCodes }).newest(maxReportedDiagnoses);
  const first = last[0]?.seq ?? Infinity;
  return [...diagnoses.filter(({ seq }) => seq < first), ...last];
}

/** The agent's result of `initialize`; for a past run, from the line that it came in. */
async function initializeOf({ agent, log }: RunView): Promise<unknown> {
  if (agent) return agent;
  const { store } = log;
  const isWanted = (_seq: number, sessionId: string | undefined): boolean => sessionId === undefined;
  for await (const records of new RecordPages(store, { isWanted }).oldestFirst()) {
    const record = records.find(({ message }) => message.toLowerCase().includes('initialized in'));
    if (!record) continue;
    try {
      return objectOf(JSON.parse(store.raw(record.seq) ?? ''))['result'];
    } catch {
      return undefined;
    }
  }
  return undefined;
}
