import { commandsIn, isQuiet, programOf } from '../../../work/failures/commandLine';
import type { ToolCall } from '../../../work/tools/toolCall';
import type { Subject } from './admission';
import { claimsSuccess, mentions } from './admission';
import type { Attempt } from './attempt';
import { attemptsOf, commandLineOf } from './attempt';
import type { Purpose } from './purpose';
import { purposeOf } from './purpose';

/** A command that is stopped after this time, in seconds, was meant to be. */
const maxTimeout = 30;
/** Exit codes of what a signal or `timeout` has stopped: SIGHUP, SIGINT, SIGKILL, SIGTERM. */
const stopped: ReadonlySet<number | undefined> = new Set([124, 129, 130, 137, 143, -1, -2, -9, -15]);
const timed = /\b(?:g?timeout)\s(?:-\S+\s(?:(?:SIG)?(?:KILL|TERM|INT|HUP|\d+[smh]?)\s)?){0,4}(\d{1,4})(?:\.\d+)?s?\s/;

const removing = /^(?:rm|rmdir|del|unlink) |\b(?:rm|remove|delete|del|stop|down|uninstall|prune|drop|unset)$/;
/** The prompt expects that something fails. */
const expectsFailure =
  /\b(?:failing|red) tests? first\b|\btests?[- ]first\b|\b(?:a|the|one) (?:failing|red) test\b|\bTDD\b|\btest[- ]driven\b|\b(?:should|must|has to|is going to|will|to|expected to|supposed to) (?:first )?(?:fail|crash|exit|break)\b|\b(?:see|watch|make sure|verify|confirm|prove|show)\b.{0,60}\b(?:fails?|failing|crash\w*)\b|\breproduc\w*\b|\brepro\b|\bfehlschlagende[nr]? tests?\b|\bstell\w*\b.{0,80}\bnach\b|\bnachstell\w*|\btests? (?:rouges?|en échec)\b|\btest\w* zuerst\b|\breproduzier\w*|\btest (?:qui échoue|que falle|que falhe)\b|падающий тест|воспроизвед|失敗するテスト|失败的测试|复现|再現/iu;
/** The prompt asks for what a command prints or how it ends, not for its success. */
const asksForResult =
  /\b(?:don'?t|do not|without|not|never)\b.{0,12}\b(?:fix|repair|chang|edit|modify|touch|correct)\w*|\b(?:only|just) (?:run|report|tell|show|list)\b|\b(?:tell|show|give|send) me\b|\breport (?:back|the|what|how|whether|if|any|all|which)\b|\bsummari[sz]e\b.{0,40}\b(?:fail\w*|errors?|results?|output)\b|\b(?:what|which|how many|why|whether)\b.{0,60}\b(?:prints?|outputs?|exit\w*|errors?|fail\w*|says?|returns?|shows?|pass\w*|broken|happens?|breaks?)\b|\bexit(?:[- ]?(?:code|status)|code)\b|\b(?:does|do|did|is|are|will) .{0,60}\b(?:pass|fail|work|build|compile|succeed|green|broken|still)\b|\b(?:check|see|find out|test) (?:if|whether|what|why|that)\b|\bdiagnos\w*|\binvestigat\w*|\b(?:nicht|ohne)\b.{0,20}\b(?:reparier|behe|änder|fix)\w*|\bsag(?:e)? mir\b|\bberichte\b|\bwelche tests?\b|\bwas (?:gibt|passiert|sagt)\b|\b(?:dis|montre|donne)[- ]moi\b|\b(?:dime|muéstrame|sin arreglar|mostre|diga)\b|скажи|покажи|не исправля|сообщи|какие тест|教えて|修正しない|告诉我|不要修|报告|알려/iu;
/** The prompt wants it to succeed. */
const wantsSuccess =
  /(?<!n't |not |without |never )\b(?:fix(?:ing)?|repair|make|get|until|ensure|implement|resolve|solve|correct|behebe\w*|repariere|mach\w*|bis|corrige\w*|répare|arregla\w*|haz)\b|(?<!не )исправь|почини|直して|修复/iu;
/** How prompts name what they want to be run. */
const named: Readonly<Partial<Record<Purpose, RegExp>>> = {
  test: /\btests?\b|\bspecs?\b|\bsuite\b|тест|テスト|测试|測試|테스트/iu,
  build: /\bbuilds?\b|\bcompil\w*|\btype-?check\w*|\bbauen?\b|сборк|ビルド|构建|编译|빌드/iu,
  lint: /\blint\w*|\bformat\w*|\bclippy\b|линт/iu,
  install: /\binstall\w*/iu,
  run: /\bscripts?\b|\bruns?\b|\bprograms?\b|скрипт|スクリプト|脚本/iu,
};

/** Whether a command is meant to fail, or its failure is an answer: `timeout 2 …`, `sh -c 'exit 3'`, `node --version`. */
export function isMeantToFail(tool: ToolCall, attempts: readonly Attempt[], hasStopped: boolean): boolean {
  const line = commandLineOf(tool);
  if (line === undefined) return attempts.every(({ purpose }) => purpose === 'probe');
  const exitCode = tool.end?.exitCode;
  if (stopped.has(exitCode) && (hasStopped || isTimed(line, attempts) || kills(line))) return true;
  if (attempts.length > 0 && attempts.every(({ purpose }) => purpose === 'probe' || purpose === 'stop')) return true;
  return endsByItself(attempts, line) || hasNothingToDo(attempts, tool.end?.error ?? tool.output);
}

/** What should be there is there, or what should go is gone. */
function hasNothingToDo(attempts: readonly Attempt[], output: string): boolean {
  const [attempt] = attempts;
  if (!attempt || attempts.length > 1) return false;
  const { program, verb } = attempt;
  if (program === 'mkdir') return /\bFile exists\b|\balready exists\b/i.test(output);
  return (
    removing.test(`${program} ${verb}`) &&
    /\bno such\b|\bnot found\b|\bdoes ?n[o'’]t exist\b|\bnot running\b/i.test(output)
  );
}

/** Whether a command ends what it has started itself: `npm start & …; kill %1; wait`. */
function kills(line: string): boolean {
  return commandsIn(line).some(({ words }) => purposeOf(programOf(words)[0] ?? '', '', []) === 'stop');
}

function isTimed(line: string, attempts: readonly Attempt[]): boolean {
  const seconds = Number(timed.exec(`${line.slice(0, 4000)} `)?.[1] ?? Infinity);
  const isWork = attempts.some(({ purpose }) => /^(?:test|build|lint|install|vcs)$/.test(purpose));
  return seconds <= maxTimeout && !isWork;
}

/** `exit 3` and `false`, with nothing before them that could fail. */
function endsByItself(attempts: readonly Attempt[], line: string): boolean {
  const isExit = ({ program, verb, targets }: Attempt): boolean =>
    program === 'exit' ? true : program === 'false' || (program === 'return' && verb === '' && targets.length === 0);
  if (attempts.length !== 1 || !attempts.every(isExit) || /\bexit\s+["']?\$/.test(line)) return false;
  const others = commandsIn(line).filter(({ words }) => !/^(?:exit|false|return)$/.test(programOf(words)[0] ?? ''));
  return others.every(
    (command) => isQuiet(command) || /^(?:\S*\/)?(?:ba|da|z|k)?sh$/.test(programOf(command.words)[0] ?? ''),
  );
}

/** Whether the prompt asked for a failure, or for how something ends, and the answer doesn't say that all went well. */
export function isAskedFor(tool: ToolCall, subject: Subject, prompt: string, answer: string): boolean {
  if (prompt === '' || !isNamed(tool, attemptsOf(tool, true), prompt)) return false;
  if (expectsFailure.test(prompt)) return true;
  // The name of a command is no wish: `make check`.
  if (!asksForResult.test(prompt) || wantsSuccess.test(prompt.replace(/`[^`]{1,200}`/g, ' '))) return false;
  return mentions(answer, subject) && !claimsSuccess(answer);
}

/** Whether the prompt names what has failed. */
function isNamed(tool: ToolCall, attempts: readonly Attempt[], prompt: string): boolean {
  const text = prompt.toLowerCase();
  const line = commandLineOf(tool)?.trim().toLowerCase();
  if (line !== undefined && line.length > 2 && text.includes(line.slice(0, 200))) return true;
  return attempts.some(({ purpose, program, verb, targets }) => {
    if (named[purpose]?.test(prompt) === true) return true;
    const names = [verb === '' || program === 'script' ? '' : `${program} ${verb}`, ...targets, program];
    return names.some((name) => name.length > 2 && text.includes(name.toLowerCase()));
  });
}

/** Whether the prompt names a file that could not be read. */
export function isWanted(attempts: readonly Attempt[], prompt: string): boolean {
  const text = prompt.toLowerCase();
  return attempts.some(({ targets }) =>
    targets.some((target) => {
      const name = target.replace(/^.*[/\\]/, '').toLowerCase();
      return name.length > 2 && text.includes(name);
    }),
  );
}

/** What an earlier success has stopped: a later exit by a signal is its consequence. */
export function stops(tool: ToolCall): boolean {
  return attemptsOf(tool, false).some(({ purpose }) => purpose === 'stop');
}
