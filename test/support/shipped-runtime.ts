import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { optionalDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const shipped = String(Object.values(optionalDependencies)[0])

/** Whether tests of figures that differ from one Node to another are skipped: they hold of the one that the package ships. */
export const skipOnOtherRuntime = process.versions.node.split('.')[0] !== shipped.split('.')[0]
