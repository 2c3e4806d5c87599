import { classOfText } from '../../../work/failures/failureClass';
import type { FailureClass } from '../../../work/failures/failurePatterns';
import { osErrors } from '../../../work/failures/osErrors';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import { causeOf, causes as words } from '../../causes';
import { adviceFor } from '../failureAdvice';
import { lookOnly } from './purpose';
import type { FailedCall } from './failedCall';

/** Why tool calls failed, if it isn't what they tried: this machine, a hook, the folder. */
export interface CallCause {
  readonly key: string;
  /** In a few words, for rows. */
  readonly short: Words;
  readonly advice: Words;
  /** In how many calls it is a problem even if the answer admits that they failed. */
  readonly least: number;
  /** Whether it keeps files from being changed, so that a later change shows that the agent found another way. */
  readonly isOfFiles?: true;
}

interface KnownCause extends CallCause {
  readonly pattern: RegExp;
  /** Whether it concerns only calls that do more than look at something. */
  readonly isOfWork?: true;
}

/** What to do about a hook that blocks. */
export const hookAdvice = t("Do what the hook says, or change it in the agent's settings.");

/** That the agent says so, or that the output does. */
const ofHook: KnownCause = {
  key: 'hook',
  pattern:
    /\b(?:(?:Pre|Post)ToolUse\b|(?:pre|post|before|after)[-_ ]?tool(?:[-_ ]?use|[-_ ]?call)?\b).{0,80}\b(?:error|block\w*|den(?:ied|y)|reject\w*|stopped|prevented|fail\w*|exit(?:ed)?|time[ds]?[- ]?out)\b|\bhooks? (?:error|has |was |script )?(?:error|blocked|denied|rejected|stopped|prevented|failed|declined|exited|returned|timed out)\b|\b(?:blocked|denied|rejected|stopped|prevented) by (?:an? |the |your |its )?(?:[\w:.-]{1,40} )?hooks?\b/i,
  short: words.hook,
  advice: hookAdvice,
  least: 1,
  isOfFiles: true,
};

/** The first that fits decides. */
const causes: readonly KnownCause[] = [
  ofHook,
  {
    key: 'disk-full',
    pattern: new RegExp(osErrors.noSpace, 'i'),
    short: t('disk full'),
    advice: t('Free some disk space, then ask again.'),
    least: 1,
    isOfFiles: true,
  },
  {
    key: 'read-only',
    pattern: new RegExp(
      String.raw`${osErrors.readOnly}|\bread-only sandbox|\bsandbox\w*\b.{0,40}\b(?:den(?:ied|ies)|blocked|read-only|not permitted|rejected)`,
      'i',
    ),
    short: t('read-only'),
    advice: t(
      "Let the agent write: its sandbox is read-only (Codex: `--sandbox workspace-write`), or the folder's file system is mounted like that.",
    ),
    least: 1,
    isOfFiles: true,
    isOfWork: true,
  },
  {
    key: 'no-access',
    pattern: new RegExp(osErrors.noAccess, 'i'),
    short: t('no write access'),
    advice: t("Give the agent's user access to these files, or allow them in its sandbox."),
    least: 1,
    isOfFiles: true,
    isOfWork: true,
  },
  {
    key: 'changed-file',
    pattern:
      /\b(?:file|content|document|buffer)s?\b.{0,80}\b(?:modified|changed|edited|updated|written)\b.{0,40}\b(?:since|externally|by another|on disk|outside)\b|\bstale (?:file|read|content)|\b(?:has|have|was) (?:been )?(?:modified|changed) (?:on disk|externally)|\b(?:mtime|checksum|hash) (?:mismatch|changed|does not match)/i,
    short: t('file keeps changing'),
    advice: t(
      'Another program rewrites the file, such as a formatter, a generator or a sync: stop it, then ask again.',
    ),
    least: 2,
    isOfFiles: true,
  },
  {
    key: 'wrong-folder',
    pattern:
      /\bnot a git repository\b|\): \.git$|\bcould not read package\.json\b|\b(?:no|missing|couldn['’]t find (?:a )?|could not find (?:a )?|cannot find (?:a )?|can['’]t find (?:a )?)\W{0,2}(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle|composer\.json|Gemfile|Makefile|requirements\.txt)|\b(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|Makefile)\b['"\x60]?(?: file)? (?:was )?(?:not found|does ?n[o'’]t exist|is missing)|\bNo makefile found\b|\bMSB1003\b|\bno pom in this directory\b|\bNO_IMPORTER_MANIFEST|\bdoes not contain a (?:Gradle build|project)/im,
    short: t('wrong folder'),
    advice: t("The session may run in the wrong folder: open the project's folder, then ask again."),
    least: 2,
  },
];

/** No host can be reached, whatever its name. */
const offline =
  /\b(?:ENETUNREACH|ENETDOWN|EAI_AGAIN|ERR_INTERNET_DISCONNECTED)\b|\bnetwork is (?:unreachable|down)|\btemporary failure in name resolution/i;
/** An agent needn't be able to write there. */
const systemFolder =
  /(?:^|[\s'"\x60=:])(?:\/(?:etc|usr|var|opt|root|boot|sys|proc|bin|sbin|lib)\/|[A-Z]:\\(?:Windows|Program Files))/i;

/** A single host or server that doesn't answer says nothing about this machine. */
const ofMachine: ReadonlySet<FailureClass> = new Set<FailureClass>(['out-of-memory', 'dns', 'proxy', 'certificate']);
const ofCommands: Readonly<Partial<Record<FailureClass, Words>>> = {
  'out-of-memory': t('Give the command more memory, or end other programs.'),
  dns: t(
    'Check the network, DNS, VPN and proxy of this machine, and whether the sandbox of the agent allows the network.',
  ),
};
/** Characters of an output that are searched, from its beginning and its end. */
const maxHead = 4000;

/** Why a call failed, if its output names a cause beyond what it tried. */
export function callCause({ attempts, tool }: FailedCall): CallCause | undefined {
  if (tool.hook) return ofHook;
  const output = outputOf(tool);
  const isLook = lookOnly(attempts);
  const known = causes.find(({ pattern, isOfWork }) => (isOfWork !== true || !isLook) && pattern.test(output));
  if (known) return known.key === 'no-access' && systemFolder.test(output) ? { ...known, least: 2 } : known;
  const failure = offline.test(output) ? 'dns' : classOfText(output);
  if (!ofMachine.has(failure)) return undefined;
  const [short, advice] = [causeOf(failure), ofCommands[failure] ?? adviceFor(failure)];
  const isCertain = failure === 'out-of-memory' || offline.test(output);
  return short && advice && { key: failure, short, advice, least: isCertain ? 1 : 2 };
}

/** The line of an output that names the cause. */
export function reasonIn({ tool }: FailedCall, cause: CallCause | undefined): string {
  const lines = outputOf(tool)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line));
  const pattern = causes.find(({ key }) => key === cause?.key)?.pattern;
  const telling = pattern && lines.findLast((line) => pattern.test(line));
  return telling ?? lines.at(-1) ?? '';
}

function outputOf({ end, output }: FailedCall['tool']): string {
  const text = end?.error ?? output;
  return text.length <= 2 * maxHead ? text : `${text.slice(0, maxHead)}\n${text.slice(-maxHead)}`;
}

/** The cause that calls have in common; those that don't name any may have it, too. */
export function commonCause(calls: readonly FailedCall[]): CallCause | undefined {
  const [first, ...others] = new Map(
    calls.flatMap((call) => callCause(call) ?? []).map((one) => [one.key, one]),
  ).values();
  return others.length === 0 ? first : undefined;
}
