import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where what takes minutes to make is kept between runs. */
export const imagesFolder = () => process.env.FISKD_MACHINES ?? join(homedir(), '.cache/fiskd-machines')

/** A recipe of files: another text of one of them makes another folder. */
export const recipeOf = (...files: string[]) => files.map((file) => readFileSync(file, 'utf8')).join('')

/** Removes everything else from a folder. */
export function keepOnly(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder).filter((one) => !names.includes(one)))
    rmSync(join(folder, name), { recursive: true })
}

/**
 * A folder that is kept: one that is there, or a new one. It is there whole or not at all.
 * @param recipe all that decides what is in it: another recipe makes another one
 * @param make fills it
 */
export async function keptFolder(
  name: string,
  recipe: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256').update(recipe).digest('hex').slice(0, 12)
  const folder = join(imagesFolder(), `${name}-${digest}`)
  if (existsSync(folder)) return folder
  mkdirSync(imagesFolder(), { recursive: true })
  const part = mkdtempSync(`${folder}.part-`)
  try {
    await make(part)
    renameSync(part, folder)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
  return folder
}
