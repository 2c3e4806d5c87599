import type { Level } from '../../src/text/level';
import type { Termination } from '../../src/wire/termination';
import { inEnglish } from '../../src/text/translator';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { FileRuns } from '../../src/past/files/fileRuns';
import { describeRun } from '../support/describeRun';
import type { Checks } from './checks';
import { within } from '../faults/waiting';
import type { Sandbox } from './sandbox';
import type { Trial } from './trial';
import { unknownKinds } from './unknownKinds';

/** In milliseconds. */
const readMs = 20_000;

/** The journals of a sandbox, as a window of the extension sees them. */
export function filesOf({ journals, taps }: Sandbox, level: Level = 'info'): FileRuns {
  return new FileRuns(new JournalFolder(journals), new JournalFolder(taps), () => ({
    level,
    maxMemory: 64 * 1024 * 1024,
    redaction: undefined,
  }));
}

/** Checks that opening the journal gives the same records as the live run, and that nothing in it is of an unknown kind. */
export async function checkReplay({ run, sandbox, checks }: Trial): Promise<void> {
  await run.journal?.close();
  const path = run.journal?.path;
  if (path === undefined) {
    checks.that('it has a journal', false);
    return;
  }
  const files = filesOf(sandbox);
  const replayed = await files.at(path, 'past');
  await within(replayed.read(), readMs, 'reading the journal');
  const live = describeRun(run.log, run.startedAt).split('\n');
  const again = describeRun(replayed.log, run.startedAt).split('\n');
  const at = live.findIndex((line, i) => line !== again[i]);
  const same = at < 0 && live.length === again.length;
  checks.that('the journal shows what was seen live', same, `${again[at]} INSTEAD OF ${live[at]}`);
  if (run.state.type !== 'ended' || replayed.state.type !== 'ended') {
    checks.equal('the state of the journal', replayed.state.type, run.state.type);
    return;
  }
  checks.equal('the end in the journal', inEnglishOf(replayed.state.termination), inEnglishOf(run.state.termination));
  await files.dispose();
  await checkKinds(sandbox, path, checks);
}

async function checkKinds(sandbox: Sandbox, path: string, checks: Checks): Promise<void> {
  const files = filesOf(sandbox, 'debug');
  const replayed = await files.at(path, 'past');
  await within(replayed.read(), readMs, 'reading the journal');
  checks.equal('the kinds that are unknown', unknownKinds(replayed.log.store.query()), []);
  await files.dispose();
}

/** The journal has the message of a termination in English. */
function inEnglishOf({ message, ...rest }: Termination): object {
  return { ...rest, message: message && inEnglish(message) };
}
