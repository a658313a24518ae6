import type { Bitmap } from '../paper/bitmap.ts'

/** Pictures in permanent memory by their key of two characters. Writing wears the memory out: it is counted. */
export class GraphicsMemory {
  readonly #pictures = new Map<string, Bitmap>()
  /** How often each key was written or deleted. */
  readonly writes: Record<string, number> = {}

  get keys(): string[] {
    return [...this.#pictures.keys()]
  }

  get(key: string): Bitmap | undefined {
    return this.#pictures.get(key)
  }

  define(key: string, picture: Bitmap): void {
    this.#count(key)
    this.#pictures.set(key, picture)
  }

  delete(key: string): void {
    this.#count(key)
    this.#pictures.delete(key)
  }

  #count(key: string): void {
    this.writes[key] = (this.writes[key] ?? 0) + 1
  }
}
