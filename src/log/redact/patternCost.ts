/** What of an expression is one step, whatever it is: an escape or a class. Neither can hold a group or a quantifier. */
const atoms = /\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]/g;
const backReference = /\\(?:[1-9]|k<)/;
const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const plainGroup = /^\((?:\?:|\?<[^=!>][^>]*>)?(?!\?)/;

/**
 * An upper bound of the steps that a backtracking matcher needs to find all matches in a text of this length. Infinite if the
 * expression repeats groups, looks around or refers back, which can take exponential time, or isn't in the strict syntax of the `u` flag.
 */
export function stepBound({ source, unicode }: RegExp): (length: number) => number {
  const isKnown = unicode && !backReference.test(source);
  const alternatives = isKnown ? alternativesOf(source.replace(atoms, 'a')) : undefined;
  if (alternatives === undefined) return () => Infinity;
  // Each of `length + 1` places is tried. From there, a step belongs to a position in the pattern and a choice for each quantifier before.
  return (length) =>
    alternatives.reduce(
      (sum, { positions, choices, open }) => sum + positions * choices * (length + 1) ** (open + 1),
      0,
    );
}

interface Alternative {
  /** The positions in it, with repetitions written out. */
  positions: number;
  /** The ways through it, quantifiers without an upper limit aside. */
  choices: number;
  /** The number of those quantifiers. */
  open: number;
}

/** The alternatives of an expression; `undefined` if it has something whose cost isn't known. */
function alternativesOf(source: string): readonly Alternative[] | undefined {
  let current: Alternative = { positions: 1, choices: 1, open: 0 };
  const alternatives = [current];
  const ways: number[] = []; // of each group that is open
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const group = plainGroup.exec(rest)?.[0];
    const repeat = quantifier.exec(rest);
    if (group !== undefined) ways.push(1);
    else if (rest.startsWith('(')) return undefined;
    else if (rest.startsWith(')')) {
      current.choices *= ways.pop() ?? 1;
      if (quantifier.test(rest.slice(1))) return undefined;
    } else if (rest.startsWith('|') && ways.length > 0) ways.push((ways.pop() ?? 1) + 1);
    else if (rest.startsWith('|')) alternatives.push((current = { positions: 1, choices: 1, open: 0 }));
    else if (repeat) addRepeat(current, repeat);
    else current.positions++;
    at += group?.length ?? repeat?.[0].length ?? 1;
  }
  return alternatives;
}

function addRepeat(alternative: Alternative, [text, least, comma, most]: RegExpExecArray): void {
  const isOpen = /^[*+]/.test(text) || (comma !== undefined && most === '');
  const times = text.startsWith('?') ? 1 : Number(most || least || 1);
  alternative.positions += times;
  if (isOpen) alternative.open++;
  else if (comma !== undefined || text.startsWith('?')) alternative.choices *= times + 1;
}
