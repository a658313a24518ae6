import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// This file lies two directories below the package, in `src/cli` as in `dist/cli`: keep it there.
const packageUrl = new URL('../../', import.meta.url)

/** The `fiskd` that came with this `fisk`. */
export function daemonProgram(): string {
  return fileURLToPath(new URL('bin/fiskd.js', packageUrl))
}

/** What `fisk firmware-trial` starts; a clone has it after `npm run build`. */
export function trialProgram(): string {
  return fileURLToPath(new URL('dist/firmware-trial/main.js', packageUrl))
}

export function installedVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('package.json', packageUrl), 'utf8'))
  return manifest.version
}
