/** A text, or a function that makes one of figures and names. */
type Text = string | ((...values: never[]) => string)
interface Said {
  readonly en: Text
  readonly hr: Text
}
/** Texts by names, each in both languages; a table may have others in it. */
type Table = { readonly [key: string]: Said | Table }
type Alike<T> = T extends string ? string : T
/** In both languages functions take the same arguments. */
type Translated<T> = {
  readonly [K in keyof T]: T[K] extends Said ? { en: Alike<T[K]['hr']>; hr: Alike<T[K]['en']> } : Translated<T[K]>
}
type InOne<T> = { [K in keyof T]: T[K] extends Said ? Alike<T[K]['en']> : InOne<T[K]> }

/** The texts of each language, of a table of both; the compiler says which translation is missing. */
export function inBoth<T extends Table>(table: T & Translated<T>): Record<'hr' | 'en', InOne<T>> {
  return { hr: pick(table, 'hr') as InOne<T>, en: pick(table, 'en') as InOne<T> }
}

function pick(table: Table, language: 'hr' | 'en'): object {
  const entries = Object.entries(table).map(([key, said]) => [
    key,
    isText(said) ? said[language] : pick(said, language),
  ])
  return Object.fromEntries(entries)
}

/** A table may have a table named `en`, as that of the languages has. */
const isText = (said: Said | Table): said is Said => typeof said.en === 'string' || typeof said.en === 'function'
