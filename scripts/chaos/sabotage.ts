import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where a transaction that is done is put aside until the common commit, once, however the bundle is spaced. */
const ASIDE = /(\w+)\s*\.\s*settle\s*=\s*\(\)\s*=>\s*\1\s*\.\s*resolve\s*\(\s*(\w+)\s*\)/g

/** Whoever waits is told at once, 150 ms before anything is durable: a well-meant group commit that got it wrong. */
const ANSWER_EARLY = '$1.resolve($2);$1.settle=()=>{};await new Promise((later)=>setTimeout(later,150))'

/**
 * Copies a build and makes the copy answer before it commits.
 * @param dir folder to copy to, with what the program looks for above itself
 * @returns the folder of the broken build
 * @throws Error when the build no longer reads as this patch expects: a sabotage that does nothing proves nothing
 */
export function sabotagedCopy(dist: string, dir: string): string {
  const broken = join(dir, 'dist')
  cpSync(dist, broken, { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(dirname(dist), name), join(dir, name))
  const files = readdirSync(broken, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const places = files.flatMap((name) => {
    const text = readFileSync(join(broken, name), 'utf8')
    return [...text.matchAll(ASIDE)].map(() => ({ file: join(broken, name), text }))
  })
  const [place] = places
  if (!place || places.length > 1) throw new Error(`the sabotage does not fit: ${ASIDE} stands ${places.length} times`)
  writeFileSync(place.file, place.text.replace(ASIDE, ANSWER_EARLY))
  return broken
}
