// A stand-in for the extension host that can be killed: runs one agent with a journal, as the extension does. Its argument is JSON, see HostTask.
import { ended } from '../support/testRun';
import type { HostReport, HostTask } from './hostTask';
import { Stage } from './stage';

const task = JSON.parse(process.argv[2] ?? '{}') as HostTask;
// Everything is loaded by now; from here on, file permissions apply to the journal.
if (task.uid !== undefined) process.setuid?.(task.uid);

async function main(): Promise<void> {
  const stage = new Stage();
  const journal = stage.journal({ folder: task.journals, maxFileSize: task.maxFileSize });
  const run = await stage.start(task.agent, task.args, {
    journal,
    spec: { args: [task.script, ...task.args], env: { PATH: process.env['PATH'] ?? '', HOME: task.home } },
  });
  tell({ pid: run.pid ?? 0 });
  const termination = await ended(run);
  await journal.close();
  tell({
    termination,
    problems: stage.problems,
    missing: journal.missing,
    logged: run.log.connection.counts.alert,
  });
  await stage.clear();
}

function tell(report: HostReport): void {
  console.log(JSON.stringify(report));
}

void main();
