import type { JSX } from 'preact';

/** Names and their values; those without a value are left out. */
export function Fields({ fields }: { readonly fields: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <dl class="fields">
      {fields
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
