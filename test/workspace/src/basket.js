// Prices are whole cents: what is added up must add up.

const bookTax = 0.07;
const otherTax = 0.19;
const schoolDiscount = 0.12;

/**
 * @param {{ title: string, cents: number, isBook: boolean }[]} items
 * @param {{ school?: boolean }} [customer]
 * @returns {{ net: number, tax: number, total: number }}
 */
export function priceOf(items, customer = {}) {
  let net = 0;
  let tax = 0;
  for (const { cents, isBook } of items) {
    const price = Math.round(cents * (customer.school ? 1 - schoolDiscount : 1));
    net += price;
    tax += Math.round(price * (isBook ? bookTax : otherTax));
  }
  return { net, tax, total: net + tax };
}

console.log(
  priceOf(
    [
      { title: 'A Pattern Language', cents: 5400, isBook: true },
      { title: 'Bookmark, brass', cents: 650, isBook: false },
    ],
    { school: true },
  ),
);
