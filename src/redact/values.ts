// What looks like a secret and what does not. Nothing here is certain: a secret's name, its shape and its place decide first.

/** A value is judged by its beginning: one without an end may be as long as the line, and is looked at for each name in it. */
const maxJudged = 256;

function beginning(value: string): string {
  return value.length > maxJudged ? value.slice(0, maxJudged) : value;
}

/** Values that say something about a secret instead of being one. */
const words = new Set(
  'true false null undefined none nil nan void yes no on off set unset missing required optional invalid valid expired empty unknown present absent ok failed changed string number boolean bool str int any object redacted hidden masked include omit same-origin inherit default enabled disabled ask prompt'.split(
    ' ',
  ),
);

/**
 * The forms of a value that is left out or to be filled in: `***`, `xxx`, `<your-key>`, `$TOKEN`, `${env:TOKEN}`, `$(pass show x)`,
 * `%TOKEN%`, `{{token}}`, `{token}`, `[REDACTED]`, `your-key-here`, `…`. A password may begin with any of these characters, so only a name
 * may lack its closing bracket: in text, a value ends before that.
 */
const placeholder = new RegExp(
  `^(?:${[
    String.raw`[*•._-]+`,
    '[xX]+',
    '…+',
    String.raw`\.{3}.{0,8}`,
    String.raw`<\/?[A-Za-z][A-Za-z _.:/|-]{0,60}>`,
    String.raw`\$\{(?:[^{}]{1,120}\}|[A-Za-z_][\w.:-]{0,60})`,
    String.raw`\$\{[A-Za-z_]\w{0,60}:?\?.*`,
    String.raw`\$\((?:[^()]{1,120}\)|[a-z][\w./-]{0,60})`,
    '(?:your|YOUR|Your)(?:[-_][A-Za-z]{1,16}){1,5}',
    String.raw`\$\{\{[^{}]{1,120}\}\}`,
    String.raw`\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|[a-z]+(?:[A-Z][a-z]+)+)`,
    String.raw`%\w+%|%\(?[a-z_]*\)?[sdv]`,
    // A vendor's prefix, and nothing after it: `ghp_xxxx`, `sk-…`, `sk-ant-your-key-here`.
    String.raw`(?:[A-Za-z][A-Za-z0-9]{0,9}[-_]){1,3}(?:[xX0*•._-]{4,}|(?:\.{3}|…)[\w.…-]{0,24}|(?:your|YOUR)[-_A-Za-z]{0,40})`,
    'A[A-Z]{3}X{12,}',
    String.raw`\{\{[^{}]{0,120}\}\}`,
    String.raw`#?\{(?:[A-Za-z_][\w.:-]*)?\}`,
    String.raw`\[\[?[A-Za-z][A-Za-z _.:-]{0,40}\]?\]`,
    String.raw`\(?[a-z]+ ?\*{3,}\)?`,
    '(?:env|file|op|vault|keychain):.*',
  ].join('|')})$`,
);

/** Letters and digits together, without a blank: what a password looks like in text. */
export function isMixed(value: string): boolean {
  return /^(?=.*[A-Za-z])(?=.*\d)\S{6,}$/.test(beginning(value));
}

/** A value that says nothing, or says that there is none. */
export function isPlaceholder(value: string): boolean {
  const head = beginning(value);
  return head === '' || words.has(head.toLowerCase()) || placeholder.test(head) || isTemplate(head);
}

/** What stands for the rest of a token in an example: one character again and again, or words: `your-key-here`. */
export function isFiller(token: string): boolean {
  return /^(?:(\w)(?:\1|[-_.])*|[xX0_.-]+|(?:your|insert|replace|example|placeholder)[-_][A-Za-z_-]{0,40})$/i.test(
    token,
  );
}

/** Text that is filled in when the program runs: `Bearer ${token}`, `{{user}}:{{password}}`. What else it holds is no secret. */
function isTemplate(value: string): boolean {
  const rest = value.replace(/\$\{\{?[\w .:()[\]'"|-]{1,80}\}\}?|\{\{[^{}]{1,80}\}\}|\$\([\w ./-]{1,80}\)/g, '');
  return rest.length < value.length && /^[\w .:/@-]*$/.test(rest) && !isOpaque(rest);
}

const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

export function isNumber(value: string): boolean {
  return number.test(value);
}

const release = String.raw`[\^~<>=v]{0,2} ?\d{1,8}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][a-z]{1,16}(?:[.-]?\d{1,10}){0,4}){0,2}`;
const version = new RegExp(
  String.raw`^(?:(?:npm|workspace):(?:[\w@./-]{1,100}@)?)?(?:${release}(?: (?:\|\| |- )?${release}){0,5}|[\^~]\d{1,8}|[\^~*]|latest|next)$`,
);

/** The version of a package, or a range of them: `^9.0.2`, `>=1.2 <2.0`, `1.0.0-beta.1`, `npm:x@1.2.3`. Some packages are named for a token. */
export function isVersion(value: string): boolean {
  return version.test(beginning(value));
}

/** A path: from the root, the home folder, here or a drive. Backslashes may be escaped. */
export function isPath(value: string): boolean {
  const head = beginning(value);
  return /^(?:~|\.{1,2}|[A-Za-z]:)?(?:\\*\/|\\+)[\w .@/\\:~-]*$/.test(head) && !head.includes('==');
}

/** Words of a language in a row rather than a passphrase, or any Chinese, Japanese or Korean: passwords are typed without. */
export function isProse(value: string): boolean {
  const head = beginning(value);
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/.test(head)) return true;
  return (
    /\s/.test(head) &&
    /(?:^|\s)(?:is|are|was|were|be|must|should|can|cannot|may|not|no|the|a|an|your|this|that|for|to|of|in|with|and|or|please|enter|required|invalid|wrong|forgot|failed|too|least|match)(?=[\s.,:;!?]|$)/i.test(
      head,
    )
  );
}

const call =
  /^(?:(?:await|new) )?([A-Za-z_$][\w$]{2,}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*|[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+)!?\([\w\s.,:;&*$[\]{}()=>/'"-]*$/;
const member = /^[A-Za-z_$][\w$]*(?:(?:\??\.|->|::)[A-Za-z_$][\w$]*)+(?:\[|[;,)!?]*$)/;

/** Code that yields a value: a call, a member, an element, a type. What is called says nothing about a secret. */
export function isCode(value: string): boolean {
  const head = beginning(value);
  const callee = call.exec(head)?.[1];
  // A name may have the number of an algorithm in it: `Ed25519PrivateKey.generate()`.
  if (callee !== undefined) {
    return (!isOpaque(callee) && !isBrokenToken(callee) && !isUnpronounceable(callee)) || callee.includes('.');
  }
  if (member.test(head)) return !isOpaque(head);
  return /^[&*@]?(?:[a-z]+ )?[A-Za-z_$][\w$]*(?:\[\w*\]|<[\w ,<>[\]|]*>?|\?)[;,)|&]*$/.test(head) && !isOpaque(head);
}

/**
 * Text that isn't written by hand: a piece of eight letters and digits or more, with digits scattered among the letters or with
 * capitals in the middle. Words, versions, dates, model names and identifiers are not.
 */
export function isOpaque(value: string): boolean {
  for (const [piece] of beginning(value).matchAll(/[A-Za-z0-9]{8,}/g)) if (isScattered(piece)) return true;
  return false;
}

/** A token whose marks leave no piece of eight characters, as those of base64 may: capitals, small letters and digits all over it. */
export function isBrokenToken(value: string): boolean {
  const text = beginning(value).replace(/[-_+/=]/g, '');
  return text.length >= 16 && /^(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]+$/.test(text) && isScattered(text);
}

/** A code that is used once: `123456`, `123 456`, `WDJB-MJHT`, `4f8a-91bc`, `GK7QM2ZRT`. */
export function isOnceCode(value: string): boolean {
  return /^(?:\d{4,8}|\d{3}[ -]\d{3}|[A-Z\d]{4}(?:-[A-Z\d]{4}){1,3}|(?=.*\d)[a-z\d]{4,5}-[a-z\d]{4,5}|(?=.*\d)(?=.*[A-Z])[A-Z\d]{6,10})$/.test(
    value,
  );
}

/** A token that is shorter than most, but can be nothing else: capitals, small letters and digits all over it. */
export function isShortToken(value: string): boolean {
  return /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d\D+\d)[\w.~+/=-]{8,15}$/.test(value) && isOpaque(value) && !isPath(value);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value that can only be a token: nothing but its characters, none of its words, and not the id of something. */
export function isToken(value: string): boolean {
  const head = beginning(value);
  return (
    head.length >= 16 &&
    /^[\w.~%+/=#|-]+$/.test(head) &&
    (isOpaque(head) || isBrokenToken(head)) &&
    !uuid.test(head) &&
    !isPath(head)
  );
}

/** A password that a generator has made: letters, digits and symbols that change at every second character. */
export function isScrambled(value: string): boolean {
  const head = beginning(value);
  if (head.length < 8 || /\s/.test(head)) return false;
  const classes = Array.from(head, classOf);
  const changes = classes.filter((kind, i) => i > 0 && kind !== classes[i - 1]).length;
  const symbols = (head.match(/[#@%^~!$&*+?={}|;:,<>]/g) ?? []).length;
  return new Set(classes).size >= 3 && changes * 5 >= head.length * 2 && (symbols >= 2 || /\d/.test(head));
}

/** Letters that can't be pronounced: a capital among five consonants in a row. */
export function isUnpronounceable(value: string): boolean {
  return Array.from(beginning(value).matchAll(/[bcdfghjklmnpqrstvwxz\d]{5,}/gi)).some(
    ([run]) => /[a-z]/.test(run) && /[A-Z]/.test(run.slice(1)) && !/^[A-Z]+[a-z]*$/.test(run),
  );
}

/** Four words or more in small letters, as generators of passwords choose them. */
export function isPassphrase(value: string): boolean {
  return /^[a-z]{3,9}(?:[- _.][a-z]{3,9}){3,}$/.test(beginning(value));
}

function classOf(char: string): 'capital' | 'digit' | 'letter' | 'symbol' {
  if (char >= 'a' && char <= 'z') return 'letter';
  if (char >= 'A' && char <= 'Z') return 'capital';
  return char >= '0' && char <= '9' ? 'digit' : 'symbol';
}

function isScattered(piece: string): boolean {
  const head = piece.slice(0, 256);
  if (!/[A-Za-z]/.test(head)) return false;
  const digits = head.match(/\d+/g) ?? [];
  if (digits.length >= 2 || digits.join('').length >= 5) return true;
  // Words in camelCase are longer than what chance puts between two capitals.
  const parts = head.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const short = parts.length >= 4 && head.length < parts.length * 3.3;
  return (
    short ||
    (digits.length === 1 && /[A-Z]/.test(head) && /[a-z]/.test(head) && /[A-Za-z]\d+[a-z]|\d[A-Z]{2}/.test(head))
  );
}

/** A word, a short number or both: `production`, `v2`, `4o`, `256color`, `20250929`. */
const plainPiece = /^(?:[A-Za-z]{0,24}\d{0,4}|\d{1,8}|\d{1,4}[A-Za-z]{1,8})$/;

/** A text that is found in too many places to be looked for, even if it is a secret. */
export function isTooCommon(value: string): boolean {
  return value.length < 8 || isPlaceholder(value) || isNumber(value) || isPath(value) || /^[A-Za-z]{1,24}$/.test(value);
}

/**
 * What the value of a setting looks like if it is no secret: words, numbers, versions, model names, addresses without a password, paths.
 * Anything else of eight characters or more may be one.
 */
export function isOrdinarySetting(value: string): boolean {
  if (isTooCommon(value)) return true;
  if (/[^\w\s./:,;@+=-]/.test(value)) return false;
  return value.split(/[^A-Za-z0-9]+/).every((piece) => plainPiece.test(piece));
}
