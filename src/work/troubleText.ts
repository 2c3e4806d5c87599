// "Attempt 1 of 1" isn't a retry.
const retry =
  /\b(?:re-?tr(?:y|ying|ied)(?: (?:in|after|attempt)|\b.{0,40}\b(?:attempt|in \d))|reconnecting|attempt (?!1 ?(?:\/|of) ?1\b)\d+ ?(?:\/|of) ?\d+|will retry|AI_RetryError)\b/i;
const change = String.raw`\b(?:fall(?:ing|s|en)?[ -]?back|fallback|fell back|(?:switch|downgrad)(?:ed|ing) to|continu(?:ed|es|ing) with)\b`;
/** Excludes text about the model's output. */
const product = String.raw`(?! (?:output|response|answer|reply|text)\b)`;
/** Why the requested model wasn't used. */
const lack = String.raw`\b(?:unavailable|not (?:available|found|supported|accessible)|overloaded|limit|quota|capacity)\b`;
const instead = String.raw`\b(?:using|trying) \S+(?: \S+){0,3}? instead\b`;
const lacking = new RegExp(lack, 'i');
/** The model or its settings must be next to the verb; otherwise the line is about something else. */
const fallback = new RegExp(
  [
    String.raw`${change}(?:\s+\S+){0,4}\s+\W{0,2}models?\b${product}`,
    String.raw`\bmodels?\b${product}.{0,80}${change}`,
    String.raw`\bmodels? \S+ instead of\b`,
    String.raw`\busing \S+ instead of (?:the )?(?:requested|configured|selected|preferred|default) model\b${product}`,
    String.raw`\busing \S+ instead of \S+.{0,40}\bmodel\b${product}.{0,40}${lack}`,
    String.raw`${lack}.{0,40}${instead}`,
    String.raw`${instead}.{0,60}${lack}`,
    String.raw`${lack}.{0,40}${change}.{0,40}\b(?:response|request|turn|session)\b`,
  ].join('|'),
  'i',
);

/** The user chose it. */
const chosen =
  /\b(?:by (?:the )?user|your (?:choice|request|selection)|as requested|at (?:the|your) request|manually|user[- ](?:selected|chosen|requested)|selected by)\b/i;
/** The cause may come before the change. */
const switchesFor = new RegExp(`${lack}.*(?:${change})`, 'i');
const model = /\b(?:models?|opus|sonnet|haiku|gpt|gemini|flash|claude|grok|llama|mistral|qwen|kimi|glm|deepseek)\b/i;

/** Whether a text reports a retry. */
export function tellsOfRetry(text: string): boolean {
  return retry.test(text.slice(0, 2000));
}

/** The maximum number of attempts that a text states: `Reconnecting... 2/5`, `attempt 2 of 5`. */
export function retryLimitIn(text = ''): number | undefined {
  const [, limit] = /\b\d{1,3} ?(?:\/|of) ?(\d{1,3})\b/.exec(text.slice(0, 500)) ?? [];
  return limit === undefined ? undefined : Number(limit);
}

/** Whether a text reports another model, or other settings, than requested. */
export function tellsOfFallback(text: string): boolean {
  const head = text.slice(0, 2000);
  if (chosen.test(head)) return false;
  return fallback.test(head) || (switchesFor.test(head) && model.test(head));
}

/** Whether a text says why a model can't be used, so that nobody chose another one. */
export function tellsOfLack(text: string): boolean {
  return lacking.test(text.slice(0, 2000));
}

/** Whether a tool failed because the user rejected it, or because the agent's own review did: `Status: Denied`. */
export function tellsOfRejection(text: string): boolean {
  return /^\W{0,9}(?:status|decision|verdict|assessment)\W{1,4}(?:den(?:ied|y)|declined?|reject(?:ed)?|refused?|disallowed)\b|\b(?:user|person|client) (?:rejected|denied|declined|refused|doesn['’]t want)\b|\brejected (?:by the user|permission)\b|\bpermission (?:was )?(?:rejected|denied) by\b|\bpermission, so the request was rejected\b|\bpermissions?\b.{0,60}(?:\bnot|n['’]t) (?:been )?granted/i.test(
    text.slice(0, 500),
  );
}
