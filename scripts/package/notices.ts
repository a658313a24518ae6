import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf } from './modules.ts'

/** The licences of what is packed along: name, version and the text that its authors want passed on. */
export function noticesOf(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license = 'see its text' } = manifestOf(folder)
      const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(78)}\n\n`)
}

/** The packages of which something stands in the bundle. */
export function bundledFolders(inputs: Record<string, unknown>): string[] {
  const folders = Object.keys(inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  )
  return [...new Set(folders)].sort()
}
