import type { Both } from '../../src/domain/texts/both.ts'

/** What has texts in both languages, with the English ones alone. */
export type English<T> = T extends Both ? string : T extends object ? { [K in keyof T]: English<T[K]> } : T

export function english<T>(value: T): English<T> {
  if (Array.isArray(value)) return value.map(english) as English<T>
  if (typeof value !== 'object' || value === null) return value as English<T>
  const { en, hr } = value as Partial<Both>
  if (typeof en === 'string' && typeof hr === 'string') return en as English<T>
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, english(one)])) as English<T>
}
