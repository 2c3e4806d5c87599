import { BoundedMap } from '../../../text/boundedMap';
import { shownLine } from '../../../text/text';
import { t } from '../../../text/translator';
import type { Attempt } from '../../failures/calls/attempt';
import { attemptsIn, commandLineOf } from '../../failures/calls/attempt';
import { inputDigest } from '../../../work/tools/inputDigest';
import type { ToolCall } from '../../../work/tools/toolCall';
import type { Findings, Found, Rule, ToolEnded } from '../../rule';
import { endWork } from '../../../protocols/terms';

const maxPlaces = 200;
/** How many calls in a row are a problem: that brought the same each time, that brought news, and that wait for something or were asked for. */
const limits = { same: 5, news: 20, asked: 50 } as const;
const maxTitle = 100;

/** Names of tools that look whether something has happened, or go on by a step each time. */
const waits =
  /\b(?:wait(?:ing)?|sleep|poll(?:ing)?|status|watch|monitor|progress|outputs?|logs?|tail|health|heartbeat|ping|stdin|tasks?|jobs?|scroll|swipe|press|keys?|click|next|prev(?:ious)?|step|continue|undo|redo|tick|advance|snapshot|screenshot|random|roll)\b/i;
/** Commands that do. */
const waitingCommand =
  /(?:^|[;&|(]\s*)(?:sudo\s+)?(?:(?:sleep|wait|watch|tail|ping|pgrep|ps|top|lsof|netstat|ss|nc|curl|wget|http|date|squeue|sacct|qstat|nvidia-smi|jobs|uptime|systemctl|journalctl|kubectl|adb|aws|gcloud|az|flyctl|fly|heroku|vercel|netlify|railway|tmux|gh|glab)\b|docker\s+(?:compose\s+)?(?:ps|logs|inspect|wait|stats)\b|helm\s+status\b)/i;
/** Prompts that ask for repetition. */
const asksToRepeat =
  /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|several|many|multiple|a few) (?:more )?(?:times|runs|iterations)\b|\b\d+x\b|\brepeat|\bagain and again\b|\bflak[ey]|\bin a loop\b|\buntil\b|\bpoll|\bwait (?:for|until)\b|\bmonitor|\bkeep \w+ing\b|\bstress|\bbenchmark|\b\d+[- ]mal\b|\bwiederhol/i;

interface Call {
  /** The same for the same tool with the same input. */
  readonly key: string;
  readonly title: string;
  readonly output: string;
  /** It looks whether something has happened. */
  readonly waits: boolean;
}

/** The latest calls of an agent, one after the other. */
interface Place {
  last: Call | undefined;
  beforeLast: Call | undefined;
  /** The latest calls that are all the same. */
  readonly same: Run;
  /** The latest calls that are the same two in turn. */
  readonly inTurn: Run;
}

interface Run {
  /** Calls that repeat an earlier one. */
  repeats: number;
  /** Those whose output was another one. */
  news: number;
  since: number;
  isReported: boolean;
}

/** Calls of the same tool with the same input in a row, or of the same two in turn, whether they succeed or not. */
export class RepeatedCalls implements Rule {
  /** By the step that the calls are part of: a turn or a subagent. */
  private readonly places = new BoundedMap<string, Place>(maxPlaces);
  private readonly seen = new WeakSet<ToolCall>();

  toolEnded({ tool, event }: ToolEnded): Findings {
    if (tool.isUsers || tool.isTerminal || this.seen.has(tool)) return undefined;
    this.seen.add(tool);
    const key = tool.parent ?? tool.sessionId;
    const place = this.places.get(key) ?? { last: undefined, beforeLast: undefined, same: newRun(), inTurn: newRun() };
    this.places.set(key, place);
    const { last, beforeLast, same, inTurn } = place;
    const call = callOf(tool);
    place.beforeLast = last;
    place.last = call;
    const isSame = count(same, last, call, event.t);
    const isInTurn = count(inTurn, isSame ? undefined : beforeLast, call, event.t);
    if (!call) return undefined;
    const about = { code: 'repeated-call', level: 'warning', advice } as const;
    const calls = same.repeats + 1;
    if (isSame && isTooMany(calls, same, call.waits, tool)) {
      return reported(same, calls, {
        ...about,
        what: t('The agent calls `{0}` again and again with the same input', call.title),
        cause: t('same call {0} times', calls),
        key: call.key,
        delivery: { type: 'series', count: calls, since: same.since },
      });
    }
    // Both of a pair count once.
    const pairs = Math.floor(inTurn.repeats / 2) + 1;
    if (!isInTurn || inTurn.repeats % 2 === 1 || !last) return undefined;
    if (!isTooMany(pairs, inTurn, call.waits || last.waits, tool)) return undefined;
    return reported(inTurn, pairs, {
      ...about,
      what: t('The agent calls `{0}` and `{1}` in turn, again and again with the same input', last.title, call.title),
      cause: t('same two calls {0} times', pairs),
      key: [last.key, call.key].sort().join(' '),
      delivery: { type: 'series', count: pairs, since: inTurn.since },
    });
  }
}

const advice = t('It may be stuck: {0}, and tell it what to do instead.', endWork);

/** Reported once; later only the row changes, and round numbers are mentioned, however long each call takes. */
function reported(run: Run, calls: number, found: Found): Found {
  const { isReported } = run;
  run.isReported = true;
  if (!isReported) return found;
  return /^10+$/.test(String(calls)) ? { ...found, level: 'notice' } : { ...found, delivery: { type: 'update' } };
}

function newRun(): Run {
  return { repeats: 0, news: 0, since: 0, isReported: false };
}

/** Adds a call to a run of repetitions of the earlier one, or starts another run. */
function count(run: Run, earlier: Call | undefined, call: Call | undefined, at: number): boolean {
  const isRepeated = call !== undefined && earlier?.key === call.key;
  if (!isRepeated) {
    run.repeats = run.news = 0;
    run.isReported = false;
    run.since = at;
    return false;
  }
  run.repeats++;
  if (earlier.output !== call.output) run.news++;
  return true;
}

function isTooMany(calls: number, { repeats, news }: Run, isWait: boolean, { turn }: ToolCall): boolean {
  if (isWait || asksToRepeat.test(turn?.prompt ?? '')) return calls >= limits.asked;
  return calls >= (news * 2 > repeats ? limits.news : limits.same);
}

function callOf(tool: ToolCall): Call | undefined {
  const line = commandIn(tool);
  const input = tool.input ?? line;
  const name = tool.toolName ?? tool.subject;
  // Without its input, a call may be another one.
  if (input === undefined || tool.end?.outcome === 'cancelled') return undefined;
  const output = inputDigest(`${tool.error ?? ''} ${tool.output}`.replace(/\d+/g, '#')) ?? '';
  return {
    key: `${name} ${input}`,
    title: shownLine(tool.title, maxTitle),
    output,
    // A command that is also the name says nothing about the tool.
    waits: (name !== line && waits.test(wordsOf(name))) || waitingCommand.test(line ?? ''),
  };
}

/** Its command line. A title that is none may stand for any. */
function commandIn(tool: ToolCall): string | undefined {
  const line = commandLineOf(tool);
  const isKnown = tool.command !== undefined || (line !== undefined && attemptsIn(line, true).some(isTelling));
  return isKnown ? line : undefined;
}

function isTelling({ purpose }: Attempt): boolean {
  return purpose !== 'other';
}

/** `Bash Output` for `BashOutput`, `bash_output` and `mcp__bash__output`. What may be a path says nothing about the tool. */
function wordsOf(name: string): string {
  return name
    .slice(0, maxTitle)
    .replace(/\S*[/\\.]\S*/g, ' ')
    .replace(/[_-]+/g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}
