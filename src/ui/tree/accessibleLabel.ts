import type { AccessibilityInformation } from 'vscode';

/** The accessible label of a row. Commas replace the dots between the parts of a description. */
export function accessibleLabel(...parts: readonly (string | undefined)[]): AccessibilityInformation {
  const words = parts.flatMap((part) => (part === undefined || part === '' ? [] : part.split(' · ')));
  return { label: words.join(', ') };
}
