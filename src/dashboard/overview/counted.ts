import { plural } from '../language.ts'

/** The Croatian word for so many invoices. */
export const racuna = (n: number) => plural(n, 'račun', 'računa', 'računa')

/** The English form of a word after a number. */
export const one = (n: number, singular: string, many: string) => (n === 1 ? singular : many)
