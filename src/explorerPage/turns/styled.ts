/** A ref that sets a style property: the policy of the page allows no style attributes. */
export function styled(name: string, value: string): (element: HTMLElement | null) => void {
  return (element) => element?.style.setProperty(name, value);
}
