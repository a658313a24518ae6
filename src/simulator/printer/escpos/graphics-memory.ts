import type { Bitmap } from '../paper/bitmap.ts'

/** Pictures in permanent memory by their key of two characters. Writing wears the memory out: it is counted. */
export class GraphicsMemory extends Map<string, Bitmap> {
  /** How often each key was written or deleted. */
  readonly writes: Record<string, number> = {}

  override set(key: string, picture: Bitmap): this {
    this.#count(key)
    return super.set(key, picture)
  }

  override delete(key: string): boolean {
    this.#count(key)
    return super.delete(key)
  }

  #count(key: string): void {
    this.writes[key] = (this.writes[key] ?? 0) + 1
  }
}
