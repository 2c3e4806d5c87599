import type { AccessibilityInformation } from 'vscode';

/** What a screen reader says for a row. Commas replace the dots between the parts of a description, which are only for the eye. */
export function accessibleLabel(...parts: readonly (string | undefined)[]): AccessibilityInformation {
  const words = parts.flatMap((part) => (part === undefined || part === '' ? [] : part.split(' · ')));
  return { label: words.join(', ') };
}
