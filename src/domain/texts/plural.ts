/** The form of a word that Croatian wants after a number: 1 račun, 2 računa, 5 računa; 21 račun. */
export function plural(n: number, one: string, few: string, many: string): string {
  const form = PLURALS.select(n)
  return form === 'one' ? one : form === 'few' ? few : many
}

const PLURALS = new Intl.PluralRules('hr')
