import { parsedJson } from '../../text/jsonText';
import { oneLine } from '../../text/text';
import { isReport } from './failurePatterns';
import { arrayOf, isObject, textOf } from '../../text/json';
import { classOfText } from './failureClass';

/**
 * What an agent's last text in a turn is: the `body` of an error (HTML or JSON), the text that a known agent shows for an error (`marker`), words
 * that only read like an error (`prose`), or an answer (`no`).
 */
export type ErrorReading = 'body' | 'marker' | 'prose' | 'no';

/** Longer texts are answers or pages. */
const maxMarker = 700;
const maxBody = 4000;
/** Maximum length of the text before an error's body. */
const maxBefore = 160;
const maxAfter = 60;

const page = /^\W{0,6}(?:<!doctype html|<html[\s>]|<\?xml\b.{0,100}?<error|<error>)/is;
const pageOfError =
  /<code>|<(?:title|h1|h2)[^>]*>[^<]*(?:\b[45]\d\d\b|error|gateway|unavailable|denied|forbidden|blocked|unauthori|sign ?in|log ?in|proxy|captive|timed? ?out|attention required|just a moment)|type=["']?password/i;
/** In any language. */
const tellsOfError = /\b[45]\d\d\b|\b(?:proxy|firewall|gateway)\b/i;
/** Longer pages are more than an error. */
const maxPage = 2000;
const errorObject =
  /["']error["']\s*:\s*(?:\{[^]{0,400}?["'](?:message|type|code|status)["']\s*:|["'][^"']{3,})|["']type["']\s*:\s*["']error["']/;

/** Texts that agents show instead of an answer (Claude Code, Codex, Gemini, Qwen, OpenCode, Copilot, Goose). */
const markers = new RegExp(
  `^[^\\p{L}\\d]{0,10}(?:${[
    String.raw`API Error\s?[:(]`,
    String.raw`.{0,80}[·∙] Please run \/login`,
    String.raw`Please run \/login [·∙]`,
    String.raw`Claude (?:AI )?usage limit reached\|`,
    String.raw`(?:You['’]ve hit your (?:\w+ )?limit|\d+-hour limit reached|.{0,20}limit reached) [·∙] resets`,
    String.raw`(?:Credit balance is too low|Prompt is too long)\W*$`,
    String.raw`unexpected status [45]\d\d `,
    String.raw`exceeded retry limit, last status`,
    String.raw`stream disconnected before completion`,
    String.raw`You['’]ve hit your usage limit\.`,
    String.raw`We['’]re currently experiencing high demand`,
    String.raw`Model call failed:`,
    String.raw`Execution failed: (?:Error|\d{3})`,
    String.raw`Ran into this error:`,
    String.raw`There['’]s an issue with the selected model \(`,
    String.raw`AI_\w+Error:`,
  ].join('|')})`,
  'iu',
);
/** Answers that explain such a text rather than being one. */
const explained =
  /^[^.]{0,60}?\b(?:means?|indicates?|stands? for|is (?:returned|thrown|sent|shown)|happens|occurs|bedeutet)\b/i;
/** A sentence that continues after a JSON body: `API Error: 529 {…} is what …`. */
const sentenceAfterBody = /\}["'`*]*\s*[\p{Ll}\p{Lo}]/u;
/** How much of the answer's beginning a prompt must have to be quoted, in characters. */
const minQuote = 24;
/** Maximum length of the advice below an agent's error. */
const maxHint = 120;
const frame = /^[ \t]+(?:at .*[:(]\w+|File ".+", line \d+)/m;
const panic = /^panic: [^]*^goroutine \d+ \[|^thread '[^']*'.{0,20} panicked at /m;
/** Maximum number of lines of a stack that aren't frames. */
const maxOutside = 5;
const asked =
  /\b(?:write|give|show|create|make|generate|draft|example|sample|template|minimal|print|output|quote|format)\b/i;
const ofPage = /\b(?:html|page|markup)\b/i;
const ofBody = /\b(?:json|xml|body|response|payload|object)\b/i;
/** Fields of a response that only reports an error. */
const ofResponse =
  /^(?:error|errors|message|detail|details|title|type|code|status|status_?code|success|ok|path|timestamp|(?:x-)?(?:request|trace)[_-]?id|retry_?after)$/i;

/** Longer texts are answers. */
const maxErrorText = 600;

const beginnings = [
  // Error: …, API Error: …, Internal server error, Error 500: …, TypeError: …
  '(?:(?:API|Internal|Server|Request|Connection|Network|Provider|Model|Stream|Unknown|Unexpected|Fatal) ){0,2}Error(?: code)?(?:\\s*[:)\\]*]|\\s+\\d{3}(?:[:.,)]|\\s*$|\\s+[{"(]))',
  'Internal (?:server )?error\\b',
  'Request (?:failed|timed out)',
  'Failed (?:to|after)\\b',
  "(?:Could not|Couldn['’]t|Cannot|Unable to) (?:connect|reach|authenticate)",
  '(?:Unexpected status|HTTP|Bad response:?) \\d{3}\\b',
  'stream (?:error|disconnected)',
  'Not logged in',
  'Please (?:log ?in|sign ?in|run [`"]?(?:/login|\\S+ (?:auth|login)))\\b',
  'Authentication (?:required|failed|error)',
  'Unauthori[sz]ed\\b',
  'Invalid (?:API|x-api) key',
  '(?:Rate|Usage|Request|Quota) (?:limit )?(?:reached|exceeded|hit)',
  'Too many requests',
  "You(?:['’]ve| have) (?:hit|reached|exceeded|run out of) (?:your|the) (?:[\\w-]+ ){0,3}(?:limits?|quota|credits?|usage)\\b",
  'Credit balance is too low',
  'Service (?:is )?(?:temporarily |currently )?unavailable',
  "We(?:['’]re| are) (?:currently )?experiencing",
  'An? (?:unexpected |internal |API )?error (?:has )?occurred',
  '(?:The )?(?:model|server|provider|service|API) (?:is )?(?:currently |temporarily )?(?:overloaded|unavailable|returned an error)',
];

/** Beginnings of errors that agents show as model output, optionally after symbols and emoji. */
const beginning = new RegExp(`^[^\\p{L}\\d]{0,10}(?:${beginnings.join('|')})`, 'iu');

/** A beginning that an answer explaining an error may have, too. */
const named = /^[^\p{L}\d]{0,10}[A-Z]\w*(?:Error|Exception):/u;

/** @param prompt the user's prompt: an answer to a request for an error page isn't an error */
export function readAnswer(text: string, prompt: string): ErrorReading {
  const answer = text.trim();
  if (page.test(answer)) {
    const isAsked = asked.test(prompt) && (ofPage.test(prompt) || (answer.startsWith('<?xml') && ofBody.test(prompt)));
    const isError =
      pageOfError.test(answer.slice(0, maxBody)) || (answer.length <= maxPage && tellsOfError.test(shownOn(answer)));
    return isError && !isAsked ? 'body' : 'no';
  }
  if (isErrorBody(answer)) return asked.test(prompt) && ofBody.test(prompt) ? 'no' : 'body';
  if (answer.length <= maxMarker && markers.test(answer) && !explained.test(answer)) {
    return isQuoted(answer, prompt) ? 'prose' : 'marker';
  }
  if (isTrace(answer)) return 'prose';
  const readsLikeError = answer.length <= maxErrorText && (beginning.test(answer) || named.test(answer));
  return readsLikeError && !isReport(answer) ? 'prose' : 'no';
}

/** The text on an HTML page. */
function shownOn(html: string): string {
  return html.replace(/<(style|script)\b[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}

/** Whether an answer only begins with an error: the prompt has it, or an explanation follows. */
function isQuoted(answer: string, prompt: string): boolean {
  if (oneLine(prompt).includes(oneLine(answer).slice(0, minQuote))) return true;
  const [, ...rest] = answer.split(/\n\s*\n/);
  return (rest.join(' ').length > maxHint && !/^\[[^]*\]$/.test(answer)) || sentenceAfterBody.test(answer);
}

/** Whether a text is the stack of an error, with few other lines. */
function isTrace(answer: string): boolean {
  if (answer.length > maxBody || answer.includes('```')) return false;
  const outside = answer.split('\n').filter((line) => /^[^\s}]/.test(line));
  return (frame.test(answer) && outside.length <= maxOutside) || panic.test(answer);
}

function isErrorBody(answer: string): boolean {
  const start = answer.search(/[{[]\s*["'{]/);
  if (start < 0 || start > maxBefore || answer.length > maxBody || answer.includes('```')) return false;
  const end = answer.lastIndexOf(answer[start] === '[' ? ']' : '}');
  if (end < start || answer.length - end > maxAfter || !isLabel(answer.slice(0, start), answer.slice(end + 1))) {
    return false;
  }
  const body = answer.slice(start, end + 1);
  const json = parsedJson(body);
  // Python prints single quotes, and long bodies are cut.
  return json === undefined ? errorObject.test(body) : isErrorResponse(json) || isProblem(json);
}

/** Whether JSON reports an error at its top. Data about errors has them below, or as one field of many. */
function isErrorResponse(json: unknown): boolean {
  const body = Array.isArray(json) && json.length === 1 ? (json as unknown[])[0] : json;
  if (!isObject(body)) return false;
  const { error, errors, type } = body;
  if (type === 'error') return true;
  if (isObject(error)) {
    return ['message', 'type', 'code', 'status'].some((name) => ['string', 'number'].includes(typeof error[name]));
  }
  const isSaid = (textOf(error)?.length ?? 0) > 2 || arrayOf(errors).length > 0;
  return isSaid && Object.keys(body).every((name) => ofResponse.test(name));
}

/** Whether the text around a body introduces it, rather than quoting it in a sentence. */
function isLabel(before: string, after: string): boolean {
  const isOpen = !/\p{L}\s*$/u.test(before) || /\b[45]\d\d\b/.test(before) || beginning.test(before.trim());
  return isOpen && /^\W*$|^\s*[\])]*\s*[·∙([\n]/.test(after);
}

/** Error bodies without an `error` field: problem details (RFC 9457), AWS, FastAPI and gateways. */
function isProblem(body: unknown): boolean {
  if (!isObject(body)) return false;
  const words = textOf(body['message']) ?? textOf(body['title']) ?? textOf(body['detail']) ?? textOf(body['Message']);
  if (words === undefined) return false;
  const kind = [body['__type'], body['errorType'], body['exception'], body['name']].find(
    (one) => textOf(one) !== undefined,
  );
  const isStatus = [body['status'], body['statusCode'], body['code']].some(
    (one) => Number(one) >= 400 && Number(one) < 600,
  );
  if (isStatus || /(?:Exception|Error)$/.test(textOf(kind) ?? '')) return true;
  return Object.keys(body).length <= 2 && classOfText(words) !== 'other';
}
