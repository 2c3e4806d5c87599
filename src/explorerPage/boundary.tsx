import type { ComponentChildren, JSX } from 'preact';
import { Component } from 'preact';
import type { Faults } from './faults';
import type { FailureTexts } from './texts';

interface Props {
  readonly faults: Faults;
  readonly texts: FailureTexts;
  /** Loads the page anew, without what it remembers; absent if that wouldn't help. */
  readonly restart?: (() => void) | undefined;
  /** Whether its part of the page is hidden: the message then waits until it isn't. */
  readonly isHidden?: boolean;
  readonly children: ComponentChildren;
}

/** Draws a message instead of what can't be drawn, with ways on. */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    this.props.faults.report('draw', error);
    this.setState({ hasFailed: true });
  }

  override render({ children, texts, restart, isHidden = false }: Props): ComponentChildren {
    if (!this.state.hasFailed) return children;
    if (isHidden) return null;
    return <Failure texts={texts} retry={() => this.setState({ hasFailed: false })} restart={restart} />;
  }
}

interface FailureProps {
  readonly texts: FailureTexts;
  readonly retry?: (() => void) | undefined;
  readonly restart?: (() => void) | undefined;
}

export function Failure({ texts, retry, restart }: FailureProps): JSX.Element {
  return (
    <section class="page-failure" role="alert">
      <p>{texts.message}</p>
      <p class="buttons">
        {retry && (
          <button type="button" class="secondary" onClick={retry}>
            {texts.retry}
          </button>
        )}
        {restart && (
          <button type="button" class="secondary" onClick={restart}>
            {texts.restart}
          </button>
        )}
      </p>
    </section>
  );
}
