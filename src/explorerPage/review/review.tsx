import type { JSX } from 'preact';
import type { ReviewGroup, ReviewItem, ReviewMessage, ReviewPlace, ReviewView } from '../../share/review/messages';

interface Props {
  readonly view: ReviewView;
  readonly post: (message: ReviewMessage) => void;
}

/** What a run's file would have, with ticks to leave it out. */
export function Review({ view, post }: Props): JSX.Element {
  const { title, intro, review, status, isBusy, cancel } = view;
  return (
    <>
      <main>
        <h1>{title}</h1>
        <p class="quiet">{intro}</p>
        {review && (
          <>
            <Formats formats={review.formats} post={post} />
            <Contents contents={review.contents} post={post} />
            {review.findings.map((group, index) => (
              <section key={index} aria-labelledby={`finding-${index}`}>
                <h2 id={`finding-${index}`}>{group.title}</h2>
                {group.note !== '' && <p class="quiet">{group.note}</p>}
                <Tick group={group} post={post} />
                <Items items={group.items} more={group.more} post={post} />
              </section>
            ))}
          </>
        )}
      </main>
      <footer>
        <p role="status">
          {status}
          {isBusy && <progress aria-label={status} />}
        </p>
        <p class="buttons">
          {review && (
            <button type="button" class="primary" onClick={() => post({ type: 'save' })}>
              {review.save}
            </button>
          )}
          <button type="button" onClick={() => post({ type: 'cancel' })}>
            {cancel}
          </button>
        </p>
      </footer>
    </>
  );
}

function Formats(props: {
  readonly formats: NonNullable<ReviewView['review']>['formats'];
  readonly post: Props['post'];
}): JSX.Element {
  const { formats, post } = props;
  return (
    <fieldset>
      <legend>{formats.legend}</legend>
      {formats.choices.map(({ id, label, isChecked }) => (
        <label class="tick" key={id}>
          <input type="radio" name="format" checked={isChecked} onChange={() => post({ type: 'format', id })} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

type ReviewContents = NonNullable<ReviewView['review']>['contents'];

function Contents(props: { readonly contents: ReviewContents; readonly post: Props['post'] }): JSX.Element {
  const { contents, post } = props;
  const { legend, presets, groups } = contents;
  return (
    <fieldset>
      <legend>{legend}</legend>
      <p class="presets">
        {presets.map(({ id, label, hint }) => (
          <button key={id} type="button" title={hint} onClick={() => post({ type: 'preset', id })}>
            {label}
          </button>
        ))}
      </p>
      {groups.map((group) => (
        <div class="content" key={group.tick?.id}>
          <Tick group={group} post={post} />
          <span class="quiet">{group.note}</span>
          {group.items.length > 0 && (
            <details>
              <summary aria-label={`${group.tick?.label ?? ''}: ${group.title}`}>{group.title}</summary>
              <Items items={group.items} more={group.more} post={post} />
            </details>
          )}
        </div>
      ))}
    </fieldset>
  );
}

function Tick({ group: { tick }, post }: { readonly group: ReviewGroup; readonly post: Props['post'] }): JSX.Element {
  if (!tick) return <></>;
  const { id, label, isChecked } = tick;
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => post({ type: 'tick', id, isChecked: currentTarget.checked })}
      />
      {label}
    </label>
  );
}

function Items(props: {
  readonly items: readonly ReviewItem[];
  readonly more: string;
  readonly post: Props['post'];
}): JSX.Element {
  const { items, more, post } = props;
  if (items.length === 0) return <></>;
  return (
    <ul>
      {items.map(({ text, note, places, more: others }, index) => (
        <li key={index}>
          <code>{text}</code> {note !== '' && <span class="quiet">{note}</span>}{' '}
          {places.map((place, at) => (
            <PlaceButton key={at} place={place} post={post} />
          ))}
          {others !== '' && <span class="quiet">{others}</span>}
        </li>
      ))}
      {more !== '' && <li class="quiet">{more}</li>}
    </ul>
  );
}

function PlaceButton({ place, post }: { readonly place: ReviewPlace; readonly post: Props['post'] }): JSX.Element {
  const { label, name, tab, seq } = place;
  return (
    <button
      type="button"
      class="link"
      title={name}
      aria-label={name}
      onClick={() => post({ type: 'open', place: { tab, ...(seq !== undefined && { seq }) } })}
    >
      {label}
    </button>
  );
}
