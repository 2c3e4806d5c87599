// What looks like a secret and what does not. Nothing here is certain: a secret's name, its shape and where it stands decide first.

/** A value is told by its beginning: one that goes on over a whole line, with many names in it, is looked at for each of them. */
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

const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Left out, cut out, to be filled in: `***`, `<token>`, `$TOKEN`, `${env:TOKEN}`, `%TOKEN%`, `{{token}}`, `{env:TOKEN}`, `[REDACTED]`, `…`. */
const blank =
  /^(?:[*•.xX_-]+|…+|<[^<>]*>?|\$[({][^)}]*[)}]*|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)|%\w+%|\{+[^{}]*\}*|\[.*|(?:env|file|op|vault|keychain):.*)$/;

/** Letters and digits together, without a blank: what a password is like that stands in text. */
export function isMixed(value: string): boolean {
  return /^(?=.*[A-Za-z])(?=.*\d)\S{6,}$/.test(beginning(value));
}

/** A value that says nothing, or says that there is none. */
export function isPlaceholder(value: string): boolean {
  const head = beginning(value);
  return head === '' || words.has(head.toLowerCase()) || blank.test(head);
}

export function isNumber(value: string): boolean {
  return number.test(value);
}

const release = String.raw`[\^~<>=v]{0,2} ?\d{1,8}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][a-z]{1,16}(?:[.-]?\d{1,10}){0,4})?`;
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

/** Words of a language in a row rather than a passphrase. */
export function isProse(value: string): boolean {
  const head = beginning(value);
  return (
    /\s/.test(head) &&
    /(?:^|\s)(?:is|are|was|were|be|must|should|can|cannot|may|not|no|the|a|an|your|this|that|for|to|of|in|with|and|or|please|enter|required|invalid|wrong|forgot|failed)(?=[\s.,:;!?]|$)/i.test(
      head,
    )
  );
}

/** Code that yields a value: a call, a member, a template. */
export function isCode(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$.]{2,}\((?:[^()]*\))?|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+(?:\[|$)/.test(beginning(value)) &&
    !isOpaque(value)
  );
}

/**
 * Text that nobody would write by hand: eight letters and digits or more in a piece, with digits scattered among the letters or with
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

/**
 * What the value of a setting is like that is no secret: words, numbers, versions, model names, addresses without a password, paths.
 * Everything of eight characters and more that is not may be one.
 */
export function isOrdinarySetting(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || isNumber(value) || isPath(value)) return true;
  if (/[^\w\s./:,;@+=-]/.test(value)) return false;
  return value.split(/[^A-Za-z0-9]+/).every((piece) => plainPiece.test(piece));
}
