/** A quick pick without a window, as `vscodeStub` makes it. */
export class FakeQuickPick {
  value = '';
  title = '';
  placeholder = '';
  busy = false;
  ignoreFocusOut = false;
  matchOnDescription = false;
  keepScrollPosition = false;
  buttons: readonly object[] = [];
  activeItems: readonly FakeItem[] = [];
  selectedItems: readonly FakeItem[] = [];
  private shown: readonly FakeItem[] = [];
  private readonly listeners = new Map<string, (() => void)[]>();
  readonly onDidChangeValue = this.event('value');
  readonly onDidAccept = this.event('accept');
  readonly onDidHide = this.event('hide');
  readonly onDidTriggerButton = this.event('button');

  get items(): readonly FakeItem[] {
    return this.shown;
  }

  set items(items: readonly FakeItem[]) {
    this.shown = items;
    this.fire('items');
  }

  type(value: string): void {
    this.value = value;
    this.fire('value');
  }

  accept(item: FakeItem): void {
    this.selectedItems = [item];
    this.fire('accept');
  }

  /** Settles when the items are as wanted. */
  until(isWanted: (items: readonly FakeItem[]) => boolean): Promise<readonly FakeItem[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isWanted(this.shown)) setImmediate(() => resolve(this.shown));
      };
      this.event('items')(look);
      look();
    });
  }

  show(): void {
    // nothing to draw
  }

  dispose(): void {
    this.listeners.clear();
  }

  private event(name: string): (listener: () => void) => void {
    return (listener) => void this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  private fire(name: string): void {
    for (const listener of this.listeners.get(name) ?? []) listener();
  }
}

export interface FakeItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
}

/** Those that were opened, the newest last. */
export const quickPicks: FakeQuickPick[] = [];
