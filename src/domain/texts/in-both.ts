/** A text, or a function that makes one of figures and names. */
type Text = string | ((...values: never[]) => string)
/** Texts by names that end in their language; a table inside of a table has both languages in it. */
type Texts = { readonly [key: string]: Text | Texts }
type Counterpart<Key> = Key extends `${infer Name}_hr`
  ? `${Name}_en`
  : Key extends `${infer Name}_en`
    ? `${Name}_hr`
    : Key
/** Each text has its counterpart, and functions take the same arguments. */
type Translated<T> = {
  readonly [K in keyof T as Counterpart<K>]: T[K] extends string ? string : T[K] extends Text ? T[K] : Translated<T[K]>
}
type InOne<T> = {
  [K in keyof T as K extends `${infer Name}_hr` ? Name : K extends `${string}_en` ? never : K]: T[K] extends string
    ? string
    : T[K] extends Text
      ? T[K]
      : InOne<T[K]>
}

/**
 * The texts of each language, of a table with `name_hr` beside `name_en`; the compiler says which translation is
 * missing.
 */
export function inBoth<T extends Texts>(table: T & Translated<T>): Record<'hr' | 'en', InOne<T>> {
  return { hr: pick(table, '_hr') as InOne<T>, en: pick(table, '_en') as InOne<T> }
}

function pick(table: Texts, suffix: string): Texts {
  const entries = Object.entries(table).flatMap(([key, value]): [string, Text | Texts][] => {
    if (typeof value === 'object') return [[key, pick(value, suffix)]]
    return key.endsWith(suffix) ? [[key.slice(0, -suffix.length), value]] : []
  })
  return Object.fromEntries(entries)
}
