/** An expression that matches exactly this text, ignoring case. */
export function literal(text: string, flag: 'g' | 'y'): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), `${flag}i`);
}
