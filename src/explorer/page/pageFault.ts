import { cutAnywhere } from '../../text/text';

/** Where an internal error of a page happened: while it was drawn, in what an event started, or in what waited for an answer. */
export const faultPlaces = ['draw', 'event', 'answer'] as const;
export type FaultPlace = (typeof faultPlaces)[number];

/** Maximum length of a fault's text, in UTF-16 units. */
export const maxFault = 4000;

/** An internal error of a page, as it tells its host. */
export interface PageFault {
  readonly place: FaultPlace;
  /** The error with its stack. */
  readonly text: string;
}

const places: Readonly<Record<FaultPlace, string>> = {
  draw: 'drawing',
  event: 'handling an event on',
  answer: 'using an answer on',
};

/** The same as an error for the host's log. */
export function faultError({ place, text }: PageFault, page: string): Error {
  const message = `Agent Logs failed while ${places[place]} the page of ${page}. Further failures of this kind are not reported.`;
  return new Error(message, { cause: cutAnywhere(text, maxFault) });
}
