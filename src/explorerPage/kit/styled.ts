/** A ref that sets a style property, because the page's content security policy forbids style attributes. */
export function styled(name: string, value: string): (element: HTMLElement | null) => void {
  return (element) => element?.style.setProperty(name, value);
}

/** A ref that sets left and width; the width is a fraction of the whole. */
export function placed(left: string, width: number): (element: HTMLElement | null) => void {
  return (element) => {
    element?.style.setProperty('left', left);
    element?.style.setProperty('width', share(width));
  };
}

/** Formats a fraction from 0 to 1 as a CSS percentage. */
export function share(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}
