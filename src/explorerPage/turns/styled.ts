/** A ref that sets a style property: the policy of the page allows no style attributes. */
export function styled(name: string, value: string): (element: HTMLElement | null) => void {
  return (element) => element?.style.setProperty(name, value);
}

/** A ref that sets left and width, the width as a share of the whole. */
export function placed(left: string, width: number): (element: HTMLElement | null) => void {
  return (element) => {
    element?.style.setProperty('left', left);
    element?.style.setProperty('width', share(width));
  };
}

/** A share, from 0 to 1, as CSS has it. */
export function share(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}
